package io.vifplug;

/** Why an operation did not simply succeed. A closed list. */
public enum Reason {
  /** The request makes no sense. REJECTED. */
  INVALID_REQUEST,
  /** A port is unbound or its binding failed. REJECTED. */
  PORT_BINDING,
  /** A vif has no type, or no plugger supports it. REJECTED. */
  UNKNOWN_VIF_TYPE,
  /** A port is given twice. REJECTED. */
  DUPLICATE_PORT,
  /** A device name or MAC is in use. REJECTED. */
  DUPLICATE_DEVICE,
  /** A device name is blank, too long or holds a slash or blank. REJECTED. */
  INVALID_NAME,
  /** The hypervisor or plugger cannot do it. REJECTED. */
  UNSUPPORTED_OPERATION,
  /** Another guest has the same name. REJECTED. */
  NAME_CONFLICT,
  /** The guest runs already. REJECTED. */
  ALREADY_RUNNING,
  /** The same operation is under way. REJECTED. */
  ALREADY_IN_PROGRESS,
  /** Another operation is under way that this one does not supersede. REJECTED. */
  OTHER_IN_PROGRESS,
  /** vifplug is closed. REJECTED, CANCELLED. */
  CLOSED,
  /** Something is awaited that nothing can ever deliver. REJECTED. */
  NO_EVENT_SOURCE,
  /** A vif needs a host device and names none. REJECTED. */
  MISSING_DEVICES,
  /** A port's vnic type is not the one it was plugged with. REJECTED. */
  VNIC_TYPE_CHANGED,

  /** Evidence did not come in time. FAILED, DEGRADED. */
  EVENT_TIMEOUT,
  /** The network back end said that a port failed or is deleted. FAILED, DEGRADED. */
  PORT_FAILED,
  /** Plugging threw. FAILED. */
  PLUG_FAILED,
  /** Plugging was refused for lack of permission. FAILED. */
  PLUG_DENIED,
  /** Plugging did not return in time. FAILED. */
  PLUG_TIMEOUT,
  /** Unplugging failed. FAILED, of DETACH and DESTROY. */
  UNPLUG_FAILED,
  /** A gate never opened. FAILED, DEGRADED. */
  GATE_TIMEOUT,
  /** A gate closed again before resume. FAILED, DEGRADED. */
  GATE_LOST,
  /** The guest could not be created. FAILED. */
  CREATE_FAILED,
  /** Creating the guest did not return in time. FAILED. */
  CREATE_TIMEOUT,
  /** The guest died while waiting. FAILED. */
  GUEST_GONE,
  /** The guest could not be resumed. FAILED. */
  RESUME_FAILED,
  /** The hypervisor could not be reached. FAILED. */
  CONNECTION_LOST,
  /** The guest could not be stopped. FAILED. */
  DESTROY_FAILED,
  /** A fault of vifplug, of an SPI implementation or of a hook. FAILED. */
  INTERNAL,

  /** The caller's deadline. CANCELLED, DEGRADED. */
  DEADLINE,
  /** Somebody else resumed the guest while ports were outstanding. DEGRADED. */
  RESUMED_BY_OTHERS,
  /** The caller cancelled. CANCELLED. */
  CALLER
}

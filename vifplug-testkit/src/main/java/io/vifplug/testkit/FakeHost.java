package io.vifplug.testkit;

import io.vifplug.VifPlug;

/**
 * A host in virtual time, put together: one script and one timeline for its hypervisor and its
 * plugger, and a network back end that listens to what is plugged. Not thread-safe, like its time.
 */
public final class FakeHost {
  private final VirtualTime time;
  private final Timeline timeline;
  private final HostScript script;
  private final FakeHypervisor hypervisor;
  private final FakePlugger plugger;
  private final FakeNetworkBackend network;

  /** A host with a time of its own. */
  public FakeHost() {
    this(new VirtualTime());
  }

  /**
   * A host in a given time.
   *
   * @param time the time
   */
  public FakeHost(VirtualTime time) {
    this.time = time;
    timeline = new Timeline(time);
    script = new HostScript(time, timeline);
    hypervisor = new FakeHypervisor(script);
    plugger = new FakePlugger(script);
    network = new FakeNetworkBackend(time);
    var unused = network.attachTo(plugger);
  }

  /**
   * Its time.
   *
   * @return the time
   */
  public VirtualTime time() {
    return time;
  }

  /**
   * What was called on it.
   *
   * @return the record
   */
  public Timeline timeline() {
    return timeline;
  }

  /**
   * How it behaves.
   *
   * @return the script
   */
  public HostScript script() {
    return script;
  }

  /**
   * Its hypervisor.
   *
   * @return the hypervisor
   */
  public FakeHypervisor hypervisor() {
    return hypervisor;
  }

  /**
   * Its plugger.
   *
   * @return the plugger
   */
  public FakePlugger plugger() {
    return plugger;
  }

  /**
   * Its network back end.
   *
   * @return the back end
   */
  public FakeNetworkBackend network() {
    return network;
  }

  /**
   * Starts building a VifPlug over this host, with the network back end as its event source and the
   * default session of the time. Local evidence and the port status reader are not configured:
   * where they exist, they are asked.
   *
   * @return the builder
   */
  public VifPlug.Builder vifPlug() {
    return parts().timing(time).calls(time.calls()).executor(time);
  }

  /**
   * Starts building a VifPlug that dies with a session.
   *
   * @param session what it may use of the time
   * @return the builder
   */
  public VifPlug.Builder vifPlug(VirtualSession session) {
    return parts().timing(session).calls(session.calls()).executor(session);
  }

  private VifPlug.Builder parts() {
    return VifPlug.builder().hypervisor(hypervisor).plugger(plugger).eventSource(network);
  }
}

package io.vifplug;

/**
 * What an operator looks at first.
 *
 * <p>Immutable.
 *
 * @param listening whether every event source is listening; false if there is none
 * @param calls deliveries received since the start
 * @param authFailures deliveries refused for a wrong or missing token
 * @param events events received since the start
 * @param timeoutsInARow operations that timed out since the last event of any kind
 * @param silent whether so many timed out that the event source is taken for silent
 * @param stalledGuests guests that timed out together; 0 if there is no host-wide stall
 * @param inFlight attempts that are under way
 * @param queued operations that wait for admission
 * @param openWatches watches that are open, those of DEGRADED guests included
 * @param stuckCalls calls that have overrun their deadline and have not returned
 */
public record HostHealth(
    boolean listening,
    long calls,
    long authFailures,
    long events,
    int timeoutsInARow,
    boolean silent,
    int stalledGuests,
    int inFlight,
    int queued,
    int openWatches,
    int stuckCalls) {}

package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.delivery.DueDeliveries.Unreadable;
import java.util.List;

/** What follows in a lane. */
sealed interface LanePlan {

    /**
     * The next attempts.
     *
     * @param dispatches the due deliveries, earliest due time first
     * @param lost due deliveries whose payload cannot be built, because their transaction is not stored or cannot be decoded
     * @param unreadable due deliveries that cannot be decoded
     * @param more whether more deliveries may be due
     */
    record Attempt(List<Dispatch> dispatches, List<Dispatch> lost, List<Unreadable> unreadable, boolean more)
            implements LanePlan {}

    /** The endpoint is a feed: its due deliveries get numbers. */
    record AssignNumbers() implements LanePlan {}

    /** The endpoint cannot be decoded: its deliveries wait until a process can. */
    record Wait() implements LanePlan {}

    /** The endpoint was deleted or disabled: its deliveries are canceled. */
    record Cancel() implements LanePlan {}
}

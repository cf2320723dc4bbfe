package dev.ligeiro.gateway.operator.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dead letters of one topic that an operator redrives. */
sealed interface Selection {

    /** @param ids in order, each once */
    record Ids(List<DeadLetterId> ids) implements Selection {}

    /**
     * Dead letters behind {@code after}.
     *
     * @param reason only those with this reason; null for all
     * @param after null for the beginning of the topic
     */
    record Range(@Nullable String reason, @Nullable DeadLetterId after) implements Selection {

        boolean includes(@Nullable String ofDeadLetter) {
            return reason == null || reason.equals(ofDeadLetter);
        }

        Range continuedAfter(@Nullable DeadLetterId id) {
            return new Range(reason, id);
        }
    }
}

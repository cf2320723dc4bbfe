package dev.ligeiro.gateway.publish;

import dev.ligeiro.support.kafka.CommittedOffsets.Log;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the sweeper has last seen of a topic and of a group that reads it.
 *
 * @param starts and {@code ends} by partition
 * @param passedAt the group had passed all that was in the topic at this time
 * @param checkpoint the ends at {@code checkpointAt}, which the group had not all passed
 */
record SeenLog(
        String topicId,
        Map<Integer, Long> starts,
        Map<Integer, Long> ends,
        Instant passedAt,
        Map<Integer, Long> checkpoint,
        Instant checkpointAt) {

    /** @param at before the log was read */
    static SeenLog first(Log log, Instant at) {
        return new SeenLog(log.topicId(), starts(log), ends(log), at, ends(log), at);
    }

    /** Whether the group has read anything of the topic. */
    static boolean isReadBy(Log log) {
        return log.partitions().values().stream().anyMatch(span -> span.committed() >= 0);
    }

    /** Whether the group is at what Kafka still has. Before, it has not come back: it may never read what is announced again. */
    static boolean isReached(Log log) {
        return log.partitions().values().stream()
                .allMatch(span -> span.committed() >= span.start() || span.start() == span.end());
    }

    /** What is lost of a log was appended after {@link #passedAt}: Kafka has dropped it before the group came to it, or has forgotten it. */
    boolean hasLost(Log log) {
        return !topicId.equals(log.topicId())
                || log.partitions().entrySet().stream().anyMatch(each -> {
                    Log.Span span = each.getValue();
                    boolean isDropped =
                            span.start() > span.committed() && span.start() > starts.getOrDefault(each.getKey(), 0L);
                    return isDropped || span.end() < ends.getOrDefault(each.getKey(), 0L);
                });
    }

    /** @param at before the log was read */
    SeenLog next(Log log, Instant at) {
        if (!topicId.equals(log.topicId())) {
            return first(log, at);
        }
        boolean isPassed = log.partitions().entrySet().stream()
                .allMatch(each ->
                        Math.max(each.getValue().start(), each.getValue().committed())
                                >= Math.min(each.getValue().end(), checkpoint.getOrDefault(each.getKey(), 0L)));
        return isPassed
                ? new SeenLog(topicId, starts(log), ends(log), checkpointAt, ends(log), at)
                : new SeenLog(topicId, starts(log), ends(log), passedAt, checkpoint, checkpointAt);
    }

    private static Map<Integer, Long> starts(Log log) {
        return offsets(log, Log.Span::start);
    }

    private static Map<Integer, Long> ends(Log log) {
        return offsets(log, Log.Span::end);
    }

    private static Map<Integer, Long> offsets(Log log, Function<Log.Span, Long> which) {
        return log.partitions().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> which.apply(each.getValue())));
    }
}

package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What was acknowledged, held against what the system made of it: all is found, has taken its course once, and was announced.
 *
 * @param acknowledged ids with what is to become of them
 */
record Ledger(Merchant merchant, Receiver receiver, Map<String, Course> acknowledged) {

    /** A dispatcher that was killed holds what it had under way for a minute. */
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);

    void check() {
        await("processed")
                .atMost(SETTLED_WITHIN)
                .pollInterval(Duration.ofSeconds(1))
                .until(this::isProcessed);
        await("announced").atMost(SETTLED_WITHIN).until(this::isAnnounced);
        acknowledged.forEach((id, course) ->
                assertThat(oldestFirst(merchant.show(id))).as(id).isEqualTo(course.statuses()));
        acknowledged.forEach(this::requireOneIdPerChange);
        assertThat(receiver.forged()).isEmpty();
    }

    private boolean isProcessed() {
        return acknowledged.entrySet().stream().allMatch(each -> hasTakenItsCourse(each.getKey(), each.getValue()));
    }

    private boolean hasTakenItsCourse(String id, Course course) {
        Answer shown = merchant.tryToShow(id);
        return shown.status() == 200 && oldestFirst(shown.transaction()).equals(course.statuses());
    }

    private boolean isAnnounced() {
        Map<String, Set<Integer>> announced = receiver.received().stream()
                .collect(Collectors.groupingBy(
                        each -> each.transaction().id(), Collectors.mapping(Received::sequence, Collectors.toSet())));
        return acknowledged.entrySet().stream()
                .allMatch(
                        each -> announced.getOrDefault(each.getKey(), Set.of()).equals(sequences(each.getValue())));
    }

    private static Set<Integer> sequences(Course course) {
        return IntStream.rangeClosed(1, course.statuses().size()).boxed().collect(Collectors.toSet());
    }

    /** A webhook may come twice, then with the same id; two changes never have the same one. */
    private void requireOneIdPerChange(String transactionId, Course course) {
        Map<String, Integer> sequenceOfId = new HashMap<>();
        for (Received webhook : receiver.of(transactionId)) {
            assertThat(webhook.type()).isEqualTo(course.webhookType(webhook.sequence()));
            sequenceOfId.merge(webhook.id(), webhook.sequence(), (one, other) -> {
                assertThat(other).as(webhook.id()).isEqualTo(one);
                return one;
            });
        }
        assertThat(sequenceOfId).as(transactionId).hasSameSizeAs(new HashSet<>(sequenceOfId.values()));
    }

    private static List<String> oldestFirst(Shown transaction) {
        List<String> statuses = new ArrayList<>(transaction.events());
        Collections.reverse(statuses);
        return statuses;
    }
}

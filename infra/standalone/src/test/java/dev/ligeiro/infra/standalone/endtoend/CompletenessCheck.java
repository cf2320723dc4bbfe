package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.JsonAnswer;
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
 * Checks every acknowledged transaction: it is found, has taken its course once, and each of its changes was announced.
 *
 * @param acknowledged the expected course by transaction id
 */
record CompletenessCheck(Merchant merchant, Receiver receiver, Map<String, ExpectedCourse> acknowledged) {

    /** Leases and sessions of killed processes end within 12 s; the rest is for a busy machine. */
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);

    void run() {
        await("processed")
                .atMost(SETTLED_WITHIN)
                .pollInterval(Duration.ofSeconds(1))
                .until(this::isProcessed);
        await("announced").atMost(SETTLED_WITHIN).until(this::isAnnounced);
        acknowledged.forEach((id, course) ->
                assertThat(oldestFirst(merchant.show(id))).as(id).isEqualTo(course.statuses()));
        Map<String, List<ReceivedWebhook>> webhooks = receiver.received().stream()
                .collect(Collectors.groupingBy(each -> each.transaction().id()));
        acknowledged.forEach((id, course) -> requireOneIdPerChange(id, course, webhooks.getOrDefault(id, List.of())));
    }

    private boolean isProcessed() {
        return acknowledged.entrySet().stream().allMatch(each -> hasTakenItsCourse(each.getKey(), each.getValue()));
    }

    private boolean hasTakenItsCourse(String id, ExpectedCourse course) {
        JsonAnswer shown = merchant.tryToShow(id);
        return shown.status() == 200
                && oldestFirst(new ShownTransaction(shown.transaction())).equals(course.statuses());
    }

    private boolean isAnnounced() {
        Map<String, Set<Integer>> announced = receiver.received().stream()
                .collect(Collectors.groupingBy(
                        each -> each.transaction().id(),
                        Collectors.mapping(ReceivedWebhook::sequence, Collectors.toSet())));
        return acknowledged.entrySet().stream()
                .allMatch(
                        each -> announced.getOrDefault(each.getKey(), Set.of()).equals(sequences(each.getValue())));
    }

    private static Set<Integer> sequences(ExpectedCourse course) {
        return IntStream.rangeClosed(1, course.statuses().size()).boxed().collect(Collectors.toSet());
    }

    /** A webhook may come twice, then with the same id; two changes never have the same id. */
    private static void requireOneIdPerChange(
            String transactionId, ExpectedCourse course, List<ReceivedWebhook> webhooks) {
        Map<String, Integer> sequenceOfId = new HashMap<>();
        for (ReceivedWebhook webhook : webhooks) {
            assertThat(webhook.type()).isEqualTo(course.webhookType(webhook.sequence()));
            sequenceOfId.merge(webhook.id(), webhook.sequence(), (one, other) -> {
                assertThat(other).as(webhook.id()).isEqualTo(one);
                return one;
            });
        }
        assertThat(sequenceOfId).as(transactionId).hasSameSizeAs(new HashSet<>(sequenceOfId.values()));
    }

    private static List<String> oldestFirst(ShownTransaction transaction) {
        List<String> statuses = new ArrayList<>(transaction.events());
        Collections.reverse(statuses);
        return statuses;
    }
}

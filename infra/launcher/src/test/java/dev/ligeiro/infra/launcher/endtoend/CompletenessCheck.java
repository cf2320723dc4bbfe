package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
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
 * Checks that each acknowledged transaction is stored, has its expected statuses exactly once, and that a webhook announced each of
 * its changes.
 *
 * @param acknowledged the expected lifecycle by transaction id
 */
record CompletenessCheck(EndToEndMerchant merchant, Receiver receiver, Map<String, ExpectedLifecycle> acknowledged) {

    /** Leases and sessions of killed processes expire within 12 s; the remaining time is for a busy machine. */
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);

    /** A check sends a request for each unprocessed transaction, or verifies the signatures of all webhooks. */
    private static final Duration POLL = Duration.ofMillis(250);

    void run() {
        Map<String, ExpectedLifecycle> unprocessed = new HashMap<>(acknowledged);
        await("processed").atMost(SETTLED_WITHIN).pollInterval(POLL).until(() -> {
            unprocessed.entrySet().removeIf(each -> hasAllStatuses(each.getKey(), each.getValue()));
            return unprocessed.isEmpty();
        });
        await("announced").atMost(SETTLED_WITHIN).pollInterval(POLL).until(this::isAnnounced);
        acknowledged.forEach((id, lifecycle) ->
                assertThat(oldestFirst(merchant.show(id))).as(id).isEqualTo(lifecycle.statuses()));
        Map<String, List<ReceivedWebhook>> webhooks = receiver.received().stream()
                .collect(Collectors.groupingBy(each -> each.transaction().id()));
        acknowledged.forEach(
                (id, lifecycle) -> requireOneIdPerChange(id, lifecycle, webhooks.getOrDefault(id, List.of())));
    }

    private boolean hasAllStatuses(String id, ExpectedLifecycle lifecycle) {
        Answer shown = merchant.tryToShow(id);
        return shown.status() == 200
                && oldestFirst(new ShownTransaction(shown.transaction())).equals(lifecycle.statuses());
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

    private static Set<Integer> sequences(ExpectedLifecycle lifecycle) {
        return IntStream.rangeClosed(1, lifecycle.statuses().size()).boxed().collect(Collectors.toSet());
    }

    /** A webhook that is sent twice has the same id both times. Webhooks of two changes have different ids. */
    private static void requireOneIdPerChange(
            String transactionId, ExpectedLifecycle lifecycle, List<ReceivedWebhook> webhooks) {
        Map<String, Integer> sequenceOfId = new HashMap<>();
        for (ReceivedWebhook webhook : webhooks) {
            assertThat(webhook.type()).isEqualTo(lifecycle.webhookType(webhook.sequence()));
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

package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Announcement;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Created;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks that each acknowledged transaction is stored, has its expected statuses exactly once, that a webhook announced each of its
 * changes and no other change, and that the merchant has no other transaction.
 *
 * @param created by transaction id
 */
record CompletenessCheck(
        EndToEndMerchant merchant, ChangeReceiver receiver, Map<String, Created<ExpectedLifecycle>> created) {

    /** A check sends a request for each unprocessed transaction. */
    private static final Duration POLL = Duration.ofMillis(250);

    /** @param within the time until the leases of killed processes have ended and their work is done */
    void run(Duration within) {
        Map<String, Created<ExpectedLifecycle>> unprocessed = new ConcurrentHashMap<>(created);
        await("processed").atMost(within).pollInterval(POLL).untilAsserted(() -> removeComplete(unprocessed));
        await("announced").atMost(within).pollInterval(POLL).untilAsserted(() -> assertThat(unannounced())
                .isEmpty());
        Map<String, Created<ExpectedLifecycle>> unchecked = new ConcurrentHashMap<>(created);
        await("statuses after the last webhook")
                .atMost(within)
                .pollInterval(POLL)
                .untilAsserted(() -> removeComplete(unchecked));
        assertThat(receiver.faults()).isEmpty();
        assertThat(receiver.announced()).as("announced changes").hasSize(changes());
        assertThat(merchant.calls().list("").required("total").asLong())
                .as("stored transactions")
                .isEqualTo(created.size());
    }

    private void removeComplete(Map<String, Created<ExpectedLifecycle>> transactions) {
        transactions.entrySet().parallelStream()
                .filter(each -> hasAllStatuses(each.getKey(), each.getValue()))
                .forEach(each -> transactions.remove(each.getKey()));
        assertThat(transactions).isEmpty();
    }

    /** False also without an answer, which is possible on a busy machine. */
    private boolean hasAllStatuses(String id, Created<ExpectedLifecycle> transaction) {
        Answer shown;
        try {
            shown = merchant.tryToShow(id);
        } catch (ApiException noAnswer) {
            return false;
        }
        if (shown.status() != 200) {
            return false;
        }
        List<String> statuses = new ArrayList<>(new ShownTransaction(shown.transaction()).events());
        Collections.reverse(statuses);
        return statuses.equals(transaction.kind().statuses());
    }

    /** The missing or wrong webhook types by change. */
    private Map<String, String> unannounced() {
        Map<String, String> missing = new TreeMap<>();
        created.forEach((id, transaction) -> {
            for (int sequence = 1; sequence <= transaction.kind().statuses().size(); sequence++) {
                Announcement announcement = receiver.announced().get(new Change(id, sequence));
                String expected = transaction.kind().webhookType(sequence);
                String type = announcement == null ? null : announcement.type();
                if (!Objects.equals(type, expected)) {
                    missing.put(id + " " + sequence, expected + " (arrived: " + type + ")");
                }
            }
        });
        return missing;
    }

    private int changes() {
        return created.values().stream()
                .mapToInt(each -> each.kind().statuses().size())
                .sum();
    }
}

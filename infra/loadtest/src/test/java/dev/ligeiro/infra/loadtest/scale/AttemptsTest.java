package dev.ligeiro.infra.loadtest.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.merchant.Call;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.webhook.Arrivals.Endpoint;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttemptsTest {

    private static final Instant EVENT_AT = Instant.parse("2026-03-10T14:30:15Z");
    private static final EventId EVENT = new EventId(TransactionId.at(EVENT_AT), 2);
    private static final Endpoint SLOW = new Endpoint(0, 0, "e0", "", false);
    private static final Endpoint AT_ONCE = new Endpoint(1, 0, "e1", "", true);

    private final CallJournal journal = new CallJournal(new CallIdentifiers("00c0ffee"));
    private final RunFaults faults = new RunFaults();
    private final Load load = Load.open(Scenario.PAY, 1, 0, 0, Long.MAX_VALUE);
    private final Attempts attempts = new Attempts(journal, faults, load);

    @BeforeEach
    void attemptADeliveryToEachEndpoint() {
        journal.add(Call.PAID_CASHIN, 0);
        journal.add(Call.PAID_CASHIN, 0);
        attempts.first(SLOW, 0, EVENT_AT);
        attempts.first(AT_ONCE, 1, EVENT_AT);
    }

    @Test
    void theFirstAttemptFinishesItsCallAndOnlyAQuickEndpointsLatencyCounts() {
        assertThat(faults.lines()).isEmpty();
        assertThat(load.finished()).isEqualTo(2);
        assertThat(load.webhookMicros().getTotalCount()).isEqualTo(1);
    }

    @Test
    void anAttemptBeforeTheAnswerToAnEarlierOneIsOneAtOnce() {
        attempts.repeated(SLOW, 0, EVENT);

        assertThat(attempts.atOnce()).isEqualTo(1);
        assertThat(load.finished()).isEqualTo(2);
        assertThat(faults.lines()).singleElement().asString().contains("attempted twice at once");
    }

    @Test
    void anAttemptAfterA2xxIsAFault() {
        attempts.repeated(AT_ONCE, 1, EVENT);

        assertThat(attempts.atOnce()).isZero();
        assertThat(faults.lines()).singleElement().asString().contains("attempted again after a 2xx");
    }
}

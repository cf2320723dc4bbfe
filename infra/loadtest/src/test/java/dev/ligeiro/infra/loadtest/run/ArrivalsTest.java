package dev.ligeiro.infra.loadtest.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.merchant.Call;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.Webhooks;
import dev.ligeiro.infra.loadtest.run.Arrivals.Endpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private static final UUID FIRST = UUID.fromString("019cd827-d553-7abc-9def-0123456789ab");
    private static final UUID SECOND = UUID.fromString("019cd827-d553-7abc-9def-0123456789ac");
    private static final Endpoint MEASURED = new Endpoint(0, 0, "e0", true);
    private static final Endpoint FAILING = new Endpoint(0, 1, "e1", false);

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");
    private final CallJournal journal = new CallJournal(identifiers);
    private final RunFaults faults = new RunFaults();
    private final List<Instant> eventTimes = new ArrayList<>();
    private final Arrivals arrivals = new Arrivals(journal, faults, 2, eventTimes::add);

    /** The merchant with number 0 makes the first call, the one with number 1 the second. */
    @BeforeEach
    void makeTwoCalls() {
        arrivals.expect(MEASURED, "/at_once/0/0", Webhooks.SECRET);
        arrivals.expect(FAILING, "/at_once/0/1", Webhooks.SECRET);
        journal.addResponse(journal.add(Call.PAID_CASHIN, 0), FIRST);
        journal.addResponse(journal.add(Call.PAID_CASHIN, 0), SECOND);
    }

    @Test
    void countsAPairOfEventAndEndpointOnce() throws Exception {
        receive("/at_once/0/0", 0, FIRST);
        receive("/at_once/0/1", 0, FIRST);
        receive("/at_once/0/0", 0, FIRST);
        arrivals.audit();

        assertThat(faults.lines()).isEmpty();
        assertThat(arrivals.measured()).isEqualTo(1);
        assertThat(arrivals.duplicates()).isEqualTo(1);
    }

    @Test
    void tellsWhenTheEventsOfMeasuredEndpointsHappened() throws Exception {
        receive("/at_once/0/0", 0, FIRST);
        receive("/at_once/0/1", 0, FIRST);
        receive("/at_once/0/0", 0, FIRST);

        assertThat(eventTimes).singleElement().satisfies(eventAt -> assertThat(eventAt)
                .isBetween(Instant.now().minusSeconds(60), Instant.now()));
    }

    @Test
    void onlyMeasuredEndpointsMustReceiveTheirEvents() throws Exception {
        receive("/at_once/0/1", 0, FIRST);
        arrivals.audit();

        assertThat(faults.lines()).singleElement().asString().contains("1 × webhooks missing");
    }

    @Test
    void anEventWithSeveralIdsIsAFault() throws Exception {
        receive("/at_once/0/1", 0, SECOND);
        receive("/at_once/0/0", 0, FIRST);
        arrivals.audit();

        assertThat(faults.lines()).singleElement().asString().contains("webhooks with several ids");
    }

    @Test
    void anEventOfAnotherMerchantAndAWebhookToAnUnknownPathAreFaults() throws Exception {
        receive("/at_once/0/0", 1, SECOND);
        receive("/at_once/0/2", 0, FIRST);

        assertThat(faults.lines())
                .satisfiesExactly(
                        other -> assertThat(other).contains("webhook of another merchant"),
                        unknown -> assertThat(unknown).contains("unknown path"));
        assertThat(arrivals.measured()).isZero();
    }

    private void receive(String path, int number, UUID transaction) throws Exception {
        String id = "evt_" + transaction.toString().replace("-", "") + "_2";
        String body = Webhooks.body(
                "transaction.paid", transaction.toString(), identifiers.reference(number), identifiers.extra(number));
        arrivals.accept(Webhooks.request(path, id, body));
    }
}

package dev.ligeiro.infra.loadtest.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.ligeiro.infra.loadtest.merchant.Call;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.webhook.Arrivals.Endpoint;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final UUID FIRST = UUID.fromString("019cd827-d553-7abc-9def-0123456789ab");
    private static final UUID SECOND = UUID.fromString("019cd827-d553-7abc-9def-0123456789ac");
    private static final Endpoint MEASURED = new Endpoint(0, 0, "e0", SECRET, true);
    private static final Endpoint FAILING = new Endpoint(0, 1, "e1", SECRET, false);

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");
    private final CallJournal journal = new CallJournal(identifiers);
    private final RunFaults faults = new RunFaults();
    private final Arrivals arrivals = new Arrivals(journal, faults, 2);

    /** The merchant with number 0 makes the first call, the one with number 1 the second. */
    @BeforeEach
    void makeTwoCalls() {
        arrivals.expect("/at_once/0/0", MEASURED);
        arrivals.expect("/at_once/0/1", FAILING);
        journal.addResponse(journal.add(Call.PAID_CASHIN, 0), FIRST);
        journal.addResponse(journal.add(Call.PAID_CASHIN, 0), SECOND);
    }

    @Test
    void countsAPairOfEventAndEndpointOnce() throws Exception {
        arrivals.startPeriods(Duration.ofHours(1));
        receive("/at_once/0/0", 0, FIRST);
        receive("/at_once/0/1", 0, FIRST);
        receive("/at_once/0/0", 0, FIRST);
        arrivals.audit(List.of(MEASURED, FAILING));

        assertThat(faults.lines()).isEmpty();
        assertThat(arrivals.measured()).isEqualTo(1);
        assertThat(arrivals.count()).isEqualTo(2);
        assertThat(arrivals.duplicates()).isEqualTo(1);
        assertThat(arrivals.micros(0).getTotalCount()).isEqualTo(1);
    }

    @Test
    void onlyMeasuredEndpointsMustReceiveTheirEvents() throws Exception {
        receive("/at_once/0/1", 0, FIRST);
        arrivals.audit(List.of(MEASURED, FAILING));

        assertThat(faults.lines()).singleElement().asString().contains("1 × webhooks missing");
    }

    @Test
    void anEventWithSeveralIdsIsAFault() throws Exception {
        receive("/at_once/0/1", 0, SECOND);
        receive("/at_once/0/0", 0, FIRST);
        arrivals.audit(List.of(MEASURED));

        assertThat(faults.lines()).singleElement().asString().contains("webhooks with several ids");
    }

    @Test
    void anEventOfAnotherMerchantIsAFault() throws Exception {
        receive("/at_once/0/0", 1, SECOND);

        assertThat(faults.lines()).singleElement().asString().contains("webhook of another merchant");
        assertThat(arrivals.count()).isZero();
    }

    private void receive(String path, int number, UUID transaction) throws Exception {
        String id = "evt_" + transaction.toString().replace("-", "") + "_2";
        String body =
                "{\"type\":\"transaction.paid\",\"timestamp\":\"%s\",\"data\":{\"id\":\"%s\",\"reference\":\"%s\",\"extra\":\"%s\"}}"
                        .formatted(
                                Instant.now(), transaction, identifiers.reference(number), identifiers.extra(number));
        long now = System.currentTimeMillis() / 1000;
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, path, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        request.headers()
                .set("webhook-id", id)
                .set("webhook-timestamp", now)
                .set("webhook-signature", new Webhook(SECRET).sign(id, now, body));
        arrivals.accept(request);
    }
}

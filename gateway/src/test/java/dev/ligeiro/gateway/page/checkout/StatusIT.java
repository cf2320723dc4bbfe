package dev.ligeiro.gateway.page.checkout;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final TransactionDocuments stored;

    StatusIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.stored = new TransactionDocuments(gateway.database());
    }

    @AfterAll
    void close() {
        stored.close();
    }

    @Test
    void theCurrentStatusComesFirstThenEachChangeUntilTheEnd() throws IOException, InterruptedException {
        String id = merchant.created(merchant.cashin());
        HttpResponse<InputStream> stream =
                CLIENT.send(gateway.api().request("/checkout/" + id + "/events").build(), BodyHandlers.ofInputStream());

        assertThat(stream.headers().map())
                .containsEntry("content-type", List.of("text/event-stream;charset=UTF-8"))
                .containsEntry("cache-control", List.of("no-store"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(nextStatus(lines)).isEqualTo("pending");
            stored.move(id, Status.IN_ANALYSIS);
            assertThat(nextStatus(lines)).isEqualTo("in_analysis");
            stored.move(id, Status.PAID);
            assertThat(nextStatus(lines)).isEqualTo("paid");
            assertThat(nextStatus(lines)).isEmpty();
        }
    }

    /** A newer version has given the status of the other one. */
    @Test
    void aStatusThatIsNotKnownDelaysNoOtherPage() throws IOException, InterruptedException {
        String unknown = merchant.created(merchant.cashin());
        String known = merchant.created(merchant.cashin());
        try (BufferedReader other = open(unknown);
                BufferedReader lines = open(known)) {
            assertThat(nextStatus(other)).isEqualTo("pending");
            assertThat(nextStatus(lines)).isEqualTo("pending");
            stored.distort(stored.find(unknown), Updates.set(TransactionFields.STATUS, "melted"));
            stored.move(known, Status.PAID);
            assertThat(nextStatus(lines)).isEqualTo("paid");
        }
    }

    @Test
    void anEndedCashinIsToldOnce() {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.CANCELED);

        assertThat(events(id).expect(200).body().lines().filter(line -> !line.isEmpty()))
                .containsExactly("event:status", "data:canceled");
    }

    @Test
    void onlyCashinsHaveEvents() {
        events("x").expectProblem(404, "transaction_not_found");
        events("019cd831-1973-7abc-9def-0123456789ab").expectProblem(404, "transaction_not_found");
        events(merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId())
                .expectProblem(404, "transaction_not_found");
    }

    private Answer events(String id) {
        return gateway.api().get("/checkout/" + id + "/events");
    }

    private BufferedReader open(String id) throws IOException, InterruptedException {
        InputStream body = CLIENT.send(
                        gateway.api().request("/checkout/" + id + "/events").build(), BodyHandlers.ofInputStream())
                .body();
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** {@code ""} at the end of the stream. */
    private static String nextStatus(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith("data:")) {
            line = lines.readLine();
        }
        return line == null ? "" : line.substring("data:".length());
    }
}

package dev.ligeiro.processor.notice;

import static dev.ligeiro.processor.ProcessorMemoryBudget.BANK_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.bank.Bank;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;

@Execution(ExecutionMode.SAME_THREAD)
class NoticePortIT {

    private static final String NOTICE =
            "{\"pix\":[{\"endToEndId\":\"E1\",\"txid\":\"%s\",\"valor\":\"1.00\"}]}".formatted("0".repeat(32));

    private final RunningBank bank = new RunningBank(settings -> settings);
    private final TestClock clock = TestClock.frozen();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TestDatabase stored = new TestDatabase();
    private final NoticePort port = port("notice-senders=CN=bank,webhook.bank.example");
    private final HttpClient sender = sender(bank.bank.ownCertificate());

    @BeforeEach
    void open() {
        bank.bundles.registerBundle("notices", RunningBank.bundle(bank.bank.issue("notices"), bank.bank.ca()));
        port.start();
    }

    @AfterEach
    void close() {
        port.stop();
        stored.close();
        bank.close();
    }

    /** With the fault, a bank's burst while Kafka was away was a line for each notice. */
    @Test
    void refusedNoticesAreCountedAndLoggedOnceAMinute() throws IOException, InterruptedException {
        try (CapturedLogs logs = new CapturedLogs(NoticePort.class.getName())) {
            for (int i = 0; i < 20; i++) {
                assertThat(send(NOTICE)).isEqualTo(503);
            }
            assertThat(send("{\"pix\":")).isEqualTo(400);
            assertThat(logs.lines()).hasSize(1);

            clock.move(Duration.ofMinutes(1));
            send(NOTICE);
            assertThat(logs.lines()).hasSize(2).allMatch(line -> line.contains("notice_refused"));
        }
        assertThat(refused("503")).isEqualTo(21);
        assertThat(refused("400")).isEqualTo(1);
    }

    /** With the fault, a bank repeated a notice above 512 KiB for ever. */
    @Test
    void aNoticeAboveTheLimitIsAnswered200SoThatTheBankDoesNotRepeatIt() throws IOException, InterruptedException {
        for (int length : new int[] {BANK_ANSWER + 1, 300_000, 600_000, 5_000_000}) {
            assertThat(send("[" + " ".repeat(length))).as("%s bytes", length).isEqualTo(200);
        }
        assertThat(refused("200")).isEqualTo(4);
        assertThat(send(NOTICE)).isEqualTo(503);
    }

    /** The bank has issued both certificates, for the same host names. With the fault, any customer of a bank reported payments. */
    @Test
    void onlyTheCertificateOfTheRailSendsItsNotices() throws IOException, InterruptedException {
        try (CapturedLogs logs = new CapturedLogs(NoticePort.class.getName())) {
            assertThat(send(sender(bank.bank.customersCertificate()), NOTICE)).isEqualTo(403);
            assertThat(send("{\"pix\":")).isEqualTo(400);
            assertThat(logs.lines()).hasSize(1).allMatch(line -> line.contains("CN=ligeiro"));
        }
        assertThat(refused("403")).isEqualTo(1);
    }

    @Test
    void anAccountWithNoticesNamesTheirSenders() {
        assertThatThrownBy(port("notice-url=https://localhost:9/bank")::start)
                .hasMessageStartingWith("ligeiro.rails.bank.notice-senders: not set (expected: ");
        assertThatThrownBy(port("notice-senders=bank=x")::start)
                .hasMessageStartingWith("ligeiro.rails.bank.notice-senders: bank=x (expected: ");
    }

    private NoticePort port(String account) {
        return new NoticePort(
                Settings.of(NoticeProperties.class, "ligeiro.notices.port=0", "ligeiro.notices.ssl-bundle=notices"),
                BankRails.of(bank, meters, clock, account).live(),
                new ReportPayments(
                        BatchStores.transactions(stored.database()),
                        BatchStores.unmatched(stored.database()),
                        notice -> Mono.error(new IllegalStateException("Kafka is away"))),
                bank.bundles,
                meters,
                clock);
    }

    private HttpClient sender(Bank.IssuedCertificate certificate) {
        return HttpClient.newBuilder()
                .sslContext(RunningBank.bundle(certificate, bank.bank.ca()).createSslContext())
                .build();
    }

    private int send(String body) throws IOException, InterruptedException {
        return send(sender, body);
    }

    private int send(HttpClient sender, String body) throws IOException, InterruptedException {
        return sender.send(
                        HttpRequest.newBuilder(URI.create("https://localhost:" + port.port() + "/bank/pix"))
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private double refused(String status) {
        return meters.get("ligeiro.rail.notices.refused")
                .tags("rail", "bank", "status", status)
                .counter()
                .count();
    }
}

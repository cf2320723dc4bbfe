package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A merchant whose transactions are as large as possible, and a dispatcher with the heap that it has under {@code infra/run}. */
@Tag("nightly")
class LargeEventsIT {

    /** On a machine with twenty times its load, too. */
    private static final Duration SOON = Duration.ofSeconds(120);

    private static final long MEGABYTE = 1 << 20;
    private static final Pattern BYTES = Pattern.compile(" bytes=\"(\\d+)\"");
    private static final Pattern TOTAL_BYTES = Pattern.compile("Total +\\d+ +(\\d+)");

    private final Path log;
    private final TestEnvironment environment = new TestEnvironment();
    private final Tenant large = environment.tenant();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<ChildProcess> processes = new ArrayList<>();

    LargeEventsIT(@TempDir Path folder) {
        this.log = folder.resolve("dispatcher.log");
    }

    /** The events of other tests would be the first ones. */
    @BeforeEach
    void emptyTheTopic() {
        environment.events().createTopic();
        TestTopics.deleteRecords(Topics.EVENTS);
    }

    @AfterEach
    void close() {
        release.countDown();
        processes.forEach(ChildProcess::kill);
        environment.close();
    }

    @Test
    void afterAStartThePartsBeginSmallAndNameTheMerchantWithTheMostBytes() {
        WebhookEndpoint endpoint = register(large, "/large");
        publish(5, 80);
        start();
        await().atMost(SOON).until(() -> environment.deliveries().of(endpoint).size() == 400);

        List<String> begun = lines("part_begins");
        assertThat(begun)
                .isNotEmpty()
                .allMatch(line -> line.contains("merchant.number=\"" + large.merchantNumber() + "\""));
        assertThat(lines("attempt_batch_begins"))
                .isNotEmpty()
                .allMatch(line -> line.contains("endpoint_id=\"" + endpoint.id() + "\""));
        List<Long> bytes = begun.stream().map(line -> number(BYTES, line)).toList();
        for (int i = 0; i < bytes.size(); i++) {
            assertThat(bytes.get(i)).isLessThanOrEqualTo(DispatcherMemoryBudget.PART_BYTES_START << i);
        }
        // the limit doubles when a batch is done, and the first batch has many parts
        assertThat(bytes).hasSizeGreaterThan(2);
    }

    /** 24,000 deliveries wait, whose payloads have 130 MB. */
    @Test
    void twentyHangingEndpointsDelayNobodyElseAndDoNotUseUpTheHeap() throws IOException {
        for (int i = 0; i < 20; i++) {
            environment.receiver().behave("/hangs" + i, WebhookReceiver.when(release, WebhookReceiver.status(200)));
            register(large, "/hangs" + i);
        }
        Tenant other = environment.tenant();
        WebhookEndpoint quick = register(other, "/quick");
        ChildProcess dispatcher = start();
        environment.awaitPartitions();
        publish(40, 30);
        for (int i = 1; i <= 20; i++) {
            int deliveries = i;
            environment.events().publish(environment.paid(other));
            await().atMost(SOON)
                    .until(() -> environment.receiver().received("/quick").size() >= deliveries);
        }

        await().atMost(SOON).until(() -> environment.consumerGroup().lag() == 0);
        assertThat(environment.deliveries().count(quick, "delivered")).isEqualTo(20);
        assertThat(environment.deliveries().sizes()).hasSize(24_020).allMatch(bytes -> bytes < 400);
        assertThat(dispatcher.isAlive()).as(dispatcher::failureSummary).isTrue();
        assertThat(liveBytes(dispatcher)).isLessThan(96 * MEGABYTE);
    }

    private WebhookEndpoint register(Tenant tenant, String path) {
        WebhookEndpoint endpoint = environment.endpoints().register(tenant, path);
        environment.endpoints().replace(Endpoints.withEvents(endpoint, EnumSet.allOf(EventType.class)));
        return endpoint;
    }

    /** Publishes the last {@code events} events of each of so many transactions. */
    private void publish(int transactions, int events) {
        for (int i = 0; i < transactions; i++) {
            Transaction largest = TestTransactions.largest(large);
            environment.transactions().store(largest);
            int last = largest.history().sequence();
            for (int sequence = last - events + 1; sequence <= last; sequence++) {
                environment.events().publish(TransactionEvent.of(largest, sequence));
            }
        }
    }

    private ChildProcess start() {
        ChildProcess dispatcher = CrashingDispatcher.start(
                log,
                environment.arguments(
                        "logging.level.dev.ligeiro.dispatcher.intake=INFO",
                        // as in production
                        "ligeiro.webhook.retry.delays=0s,5s,5m,30m",
                        "ligeiro.webhook.lane.open-min=5s"));
        processes.add(dispatcher);
        return dispatcher;
    }

    private List<String> lines(String event) {
        try {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.contains(event))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The bytes of the dispatcher's heap after a collection. */
    private static long liveBytes(ChildProcess dispatcher) throws IOException {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(dispatcher.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        return number(TOTAL_BYTES, new String(histogram.getInputStream().readAllBytes()));
    }

    private static long number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}

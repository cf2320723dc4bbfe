package dev.ligeiro.support.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.instance.ServiceInstance.Figure;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.UuidRepresentation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ReportInstanceIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final String name = "instance_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(name)))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .build());
    private final MongoDatabase database = client.getDatabase(name);
    private final InstanceStore store = new InstanceStore(database);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final TestClock clock = TestClock.frozen();
    private final Instant start = clock.instant();
    private final ReportInstance report = new ReportInstance(store, meters, clock, "gateway", "1.2.3");

    @AfterEach
    void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }

    @Test
    void aProcessReportsTheKnownValuesOfTheListedGauges() {
        Gauge.builder("ligeiro.consumer.lag", () -> 12.5).tag("group", "g").register(meters);
        Gauge.builder("ligeiro.clock.ahead", () -> Double.NaN).register(meters);
        Gauge.builder("ligeiro.other", () -> 1).register(meters);

        report.run().block(TIMEOUT);

        assertThat(seenSince(start)).singleElement().satisfies(instance -> {
            assertThat(instance.service()).isEqualTo("gateway");
            assertThat(instance.version()).isEqualTo("1.2.3");
            assertThat(instance.host()).isNotEmpty();
            assertThat(instance.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(instance.startedAt()).isBefore(start);
            assertThat(instance.seenAt()).isEqualTo(start);
            assertThat(instance.figures())
                    .containsExactly(new Figure("ligeiro.consumer.lag", Map.of("group", "g"), 12.5));
        });
    }

    @Test
    void aProcessHasOneDocumentAndIsGoneForReadersWhenItNoLongerReports() {
        report.run().block(TIMEOUT);
        clock.move(Duration.ofSeconds(15));
        report.run().block(TIMEOUT);

        assertThat(seenSince(start)).hasSize(1);
        assertThat(seenSince(start.plusSeconds(15))).hasSize(1);
        assertThat(seenSince(start.plusSeconds(16))).isEmpty();
    }

    @Test
    void theFirstReportComesSoonAfterTheStart() {
        report.start();
        try {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(seenSince(start)).hasSize(1));
        } finally {
            report.stop();
        }
    }

    private List<ServiceInstance> seenSince(Instant since) {
        return store.seenSince(since).blockOptional(TIMEOUT).orElseThrow();
    }
}

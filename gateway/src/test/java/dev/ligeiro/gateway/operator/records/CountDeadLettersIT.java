package dev.ligeiro.gateway.operator.records;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.records.CountDeadLetters.Open;
import dev.ligeiro.testing.brokers.TestBrokers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** With a database of its own; the topic also has the dead letters of other tests. */
class CountDeadLettersIT {

    private static final DeadLetterTopic EVENTS = DeadLetterTopic.EVENTS;
    private static final int PAGE = 1_000;
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final String database = RunningGateway.newDatabase();
    private final MongoClient mongo = MongoClients.create(TestBrokers.mongodbUri(database));
    private final RedrivenStore store = new RedrivenStore(mongo.getDatabase(database));
    private final ReadTopics topics = new ReadTopics(new DefaultKafkaConsumerFactory<>(TopicScanIT.consumerSettings()));
    private final DeadLetterWriter writer = new DeadLetterWriter();

    @AfterEach
    void close() {
        writer.close();
        mongo.close();
    }

    @Test
    void aDeadLetterBehindAPageThatIsAllRedrivenIsCounted() {
        for (int i = 0; i < PAGE; i++) {
            writer.start(EVENTS, UUID.randomUUID().toString(), "failed");
        }
        writer.flush();
        String last = writer.write(EVENTS, UUID.randomUUID().toString(), "failed");
        List<DeadLetterRecord> before = all();
        DeadLetterRecord open = before.remove(before.size() - 1);
        store.remember(before, Instant.now()).block(WAIT_MAX);

        assertThat(open.id()).hasToString(last);
        assertThat(count()).isEqualTo(new Open(EVENTS.code(), 1, false, open.at()));
        store.remember(List.of(open), Instant.now()).block(WAIT_MAX);
        assertThat(count()).isEqualTo(new Open(EVENTS.code(), 0, false, null));
    }

    private Open count() {
        Map<String, Open> counts = new CountDeadLetters(topics, store).counts().block(WAIT_MAX);
        return requireNonNull(requireNonNull(counts).get(EVENTS.code()));
    }

    private List<DeadLetterRecord> all() {
        List<DeadLetterRecord> found = new ArrayList<>();
        RecordPlace after = null;
        do {
            RecordPlace from = after;
            AdminPage<DeadLetterRecord, RecordPlace> page =
                    requireNonNull(topics.read(EVENTS.deadLetters(), null, scan -> scan.page(from, PAGE)
                                    .map(record -> DeadLetterRecord.of(EVENTS, record)))
                            .block(WAIT_MAX));
            found.addAll(page.items());
            after = page.next();
        } while (after != null);
        return found;
    }
}

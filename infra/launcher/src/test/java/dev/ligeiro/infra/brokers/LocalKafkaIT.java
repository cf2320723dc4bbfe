package dev.ligeiro.infra.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.brokers.Ports.PortTakenException;
import dev.ligeiro.testing.brokers.LocalBroker;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKafkaIT {

    private static final String TOPIC = "transaction-commands";

    /** After a kill, the next start waits until the session of the killed broker ends, by default 4 s. */
    private static final Map<String, String> SHORT_SESSION =
            Map.of("broker.heartbeat.interval.ms", "250", "broker.session.timeout.ms", "2000");

    private final Path home;
    private LocalKafka kafka;
    private LocalBroker broker;

    LocalKafkaIT(@TempDir Path home) {
        this.home = home;
        this.kafka = kafkaOn(Ports.freeInARow(2));
        this.broker = new LocalBroker(kafka);
    }

    @AfterEach
    void end() {
        broker.kill();
    }

    /** Each day, the tests of the services' outages kill and stop the same broker. */
    @Test
    @Tag("nightly")
    void keepsRecordsAndCommittedOffsetsOverAKillAndAStopAndAMove() throws Exception {
        broker.start();
        createTopic();
        send("before kill");
        assertThat(receive(1)).containsExactly("before kill");
        send("sent before kill");
        long killed = broker.pid();
        broker.kill();
        assertThat(ProcessHandle.of(killed)).isEmpty();
        broker.start();
        send("after kill");
        assertThat(receive(2)).containsExactly("sent before kill", "after kill");
        broker.stop();
        moveTo(Ports.freeInARow(2));
        send("on other ports");
        assertThat(receive(1)).containsExactly("on other ports");
    }

    @Test
    void refusesATakenPort() throws Exception {
        try (ServerSocket other = new ServerSocket(kafka.port(), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(kafka::spawn)
                    .isInstanceOf(PortTakenException.class)
                    .hasMessage("kafka cannot listen on port %d: it is taken by another process", other.getLocalPort());
        }
    }

    private void moveTo(int port) {
        kafka = kafkaOn(port);
        broker = new LocalBroker(kafka);
        broker.start();
    }

    private LocalKafka kafkaOn(int port) {
        Path jars = ProjectRoot.kafkaJars(ProjectRoot.find());
        return new LocalKafka(jars, home.resolve("a home"), port, SHORT_SESSION);
    }

    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get(20, TimeUnit.SECONDS);
        }
    }

    private void send(String value) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        StringSerializer text = new StringSerializer();
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, text, text)) {
            producer.send(new ProducerRecord<>(TOPIC, value)).get(20, TimeUnit.SECONDS);
        }
    }

    /** Commits what it has received. */
    private List<String> receive(int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "group.id", "test",
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false",
                "fetch.max.wait.ms", "20"); // closing a consumer waits for its last fetch
        StringDeserializer text = new StringDeserializer();
        List<String> received = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, text, text)) {
            consumer.subscribe(List.of(TOPIC));
            while (received.size() < count && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    received.add(record.value());
                }
            }
            consumer.commitSync();
        }
        return received;
    }
}

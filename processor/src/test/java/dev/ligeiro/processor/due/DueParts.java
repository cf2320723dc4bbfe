package dev.ligeiro.processor.due;

import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.FixedRail;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.RestoreProperties;
import dev.ligeiro.processor.rail.bank.LiveRailProperties;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.MongoClock;
import dev.ligeiro.testing.brokers.TestBrokers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;

/** The due work of one processor without its listener; the test runs the passes. */
final class DueParts implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final RailOutcome PENDING = new RailOutcome.Pending();

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    DueParts(MongoDatabase database, Clock clock, String group, int aheadMax) {
        this(database, clock, Clock.systemUTC(), group, aheadMax);
    }

    /** @param machine the clock that is compared with MongoDB's */
    DueParts(MongoDatabase database, Clock clock, Clock machine, String group, int aheadMax) {
        Map<String, Object> kafka = Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers());
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("spring.kafka.consumer.group-id", group)));
        context.registerBean("database", MongoDatabase.class, () -> database, bean -> bean.setDestroyMethodName(""));
        MeterRegistry meters = new SimpleMeterRegistry();
        context.registerBean("clock", Clock.class, () -> clock, bean -> bean.setPrimary(true));
        context.registerBean("mongoClock", MongoClock.class, () -> new MongoClock(database, machine, meters));
        context.registerBean("meters", MeterRegistry.class, () -> meters);
        context.registerBean(
                "properties",
                DueProperties.class,
                () -> new DueProperties(Duration.ofSeconds(1), LEASE, aheadMax, Duration.ofMinutes(10)));
        context.registerBean("restore", RestoreProperties.class, () -> new RestoreProperties(Instant.EPOCH));
        context.registerBean("simulator", PaymentRail.class, () -> FixedRail.answering("simulator", PENDING));
        context.registerBean("bank", PaymentRail.class, () -> FixedRail.answering("bank", PENDING));
        context.registerBean("noAccounts", LiveRailProperties.class, () -> new LiveRailProperties(Map.of()));
        context.registerBean("bundles", SslBundles.class, DefaultSslBundleRegistry::new);
        context.registerBean("admin", KafkaAdmin.class, () -> admin(kafka));
        context.registerBean("kafka", KafkaTemplate.class, () -> template(kafka));
        context.register(
                CommittedOffsets.class,
                LiveRails.class,
                Rails.class,
                BatchSender.class,
                LeaseStore.class,
                DueStore.class,
                DispatchDue.class,
                WatchDue.class);
        context.refresh();
        bean(DispatchDue.class).stop();
        await().until(() -> reports("ligeiro.clock.ahead"));
    }

    DispatchDue.State run() {
        return bean(DispatchDue.class).pass().blockOptional(TIMEOUT).orElseThrow();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    double metric(String name, String... tags) {
        return bean(MeterRegistry.class).get(name).tags(tags).gauge().value();
    }

    boolean reports(String name) {
        return bean(MeterRegistry.class).find(name).gauge() != null;
    }

    @Override
    public void close() {
        context.close();
    }

    private static KafkaAdmin admin(Map<String, Object> kafka) {
        KafkaAdmin admin = new KafkaAdmin(kafka);
        admin.setAutoCreate(false);
        return admin;
    }

    private static KafkaTemplate<byte[], byte[]> template(Map<String, Object> kafka) {
        return new KafkaTemplate<>(
                new DefaultKafkaProducerFactory<>(kafka, new ByteArraySerializer(), new ByteArraySerializer()));
    }
}

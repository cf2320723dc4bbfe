package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Origin;
import dev.ligeiro.testing.trace.OtlpReceiver;
import dev.ligeiro.testing.trace.ReceivedSpan;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The metrics of a dispatcher with a healthy endpoint, one that fails until its breaker opens, and a dead letter. */
class MetricsIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int FAILED = 5;

    private static final OtlpReceiver TRACES = new OtlpReceiver();
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    @BeforeAll
    static void start() {
        ENVIRONMENT.events().createTopic();
        List<String> settings = new ArrayList<>(TRACES.settings());
        // a first attempt that outlasts the window is stored, and its endpoint then has a lane for the lease of 60 s
        settings.add("ligeiro.webhook.batch-window=10s");
        settings.add("ligeiro.webhook.lane.failures-max=" + FAILED);
        settings.add("ligeiro.webhook.lane.open-min=5m");
        settings.add("ligeiro.webhook.lane.open-max=5m");
        ENVIRONMENT.startDispatcher(settings.toArray(String[]::new));
        ENVIRONMENT.receiver().behave("/failing", WebhookReceiver.status(500));
        WebhookEndpoint healthy = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/healthy");
        WebhookEndpoint failing = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), "/failing");
        ENVIRONMENT
                .events()
                .publish(
                        ENVIRONMENT.paid(healthy.tenant()),
                        new Origin("pay-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        ENVIRONMENT
                .events()
                .publish("poison".getBytes(), "{".getBytes(), TestEvents.headers(healthy.tenant(), EventType.PAID));
        for (int i = 0; i < FAILED; i++) {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(failing.tenant()));
        }
        await().atMost(SOON).until(() -> count("ligeiro.webhook.deliveries", "status", "delivered") == 1);
    }

    @AfterAll
    static void stop() {
        ENVIRONMENT.close();
        TRACES.close();
    }

    @Test
    void anAttemptIsPartOfTheTraceOfItsRequest() {
        await().atMost(SOON).untilAsserted(() -> assertThat(TRACES.spans())
                .filteredOn(span -> span.traceId().equals("4bf92f3577b34da6a3ce929d0e0e4736"))
                .extracting(ReceivedSpan::parentSpanId, ReceivedSpan::name)
                .containsOnly(tuple("00f067aa0ba902b7", "attempt transaction.paid")));
    }

    @Test
    void showTheBacklogBehindAnOpenBreaker() {
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(gauge("ligeiro.webhook.lanes", "state", "open")).isEqualTo(1);
            assertThat(gauge("ligeiro.webhook.lanes", "state", "all")).isEqualTo(1);
            assertThat(gauge("ligeiro.webhook.lanes", "state", "due")).isZero();
            assertThat(gauge("ligeiro.webhook.due")).isEqualTo(FAILED);
            assertThat(gauge("ligeiro.webhook.due.oldest", "breaker", "opened")).isBetween(1.0, 300.0);
            assertThat(gauge("ligeiro.webhook.due.oldest", "breaker", "closed")).isZero();
            assertThat(gauge("ligeiro.webhook.failing.longest")).isBetween(1.0, 300.0);
            assertThat(gauge("ligeiro.webhook.lanes.claimed")).isZero();
        });
        // on a busy machine, retries are due before the breaker opens; each delivery has four attempts
        long rejected = timer("ligeiro.webhook.attempts", "outcome", "rejected");
        assertThat(rejected).isBetween((long) FAILED, 4L * FAILED);
        assertThat(timer("ligeiro.webhook.attempts", "outcome", "delivered")).isEqualTo(1);
        assertThat(timer("ligeiro.webhook.first_attempt")).isEqualTo(FAILED + 1);
        assertThat(timer("ligeiro.webhook.latency")).isEqualTo(1);
        assertThat(count("ligeiro.webhook.deliveries", "status", "scheduled")).isEqualTo(rejected);
        assertThat(gauge("ligeiro.webhook.attempts.in_flight")).isZero();
    }

    @Test
    void countDeadLettersByReasonAndHaveHistogramsOfLatency() {
        // other tests append poison to the same topic
        await().atMost(SOON).untilAsserted(() -> assertThat(count("ligeiro.dead.letters", "reason", "invalid_message"))
                .isPositive());

        assertThat(count("ligeiro.dead.letters", "reason", "failed")).isZero();
        assertThat(dispatcher(PrometheusMeterRegistry.class).scrape())
                .contains("ligeiro_webhook_first_attempt_seconds_bucket", "ligeiro_webhook_latency_seconds_bucket");
    }

    private static double count(String name, String... tag) {
        return search(name, tag).counter().count();
    }

    private static long timer(String name, String... tag) {
        return search(name, tag).timer().count();
    }

    private static double gauge(String name, String... tag) {
        return search(name, tag).gauge().value();
    }

    private static RequiredSearch search(String name, String... tag) {
        return dispatcher(MeterRegistry.class).get(name).tags(tag);
    }

    private static <T> T dispatcher(Class<T> type) {
        return ENVIRONMENT.dispatchers().get(0).getBean(type);
    }
}

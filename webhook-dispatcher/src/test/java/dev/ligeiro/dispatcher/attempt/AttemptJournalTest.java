package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ligeiro.dispatcher.Dispatches;
import dev.ligeiro.message.Origin;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AttemptJournalTest {

    private static final Duration WAITED = Duration.ofMillis(30);
    private static final Duration TOOK = Duration.ofMillis(200);

    private final Logger logger = (Logger) LoggerFactory.getLogger(AttemptJournal.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AttemptJournal journal = new AttemptJournal(meters, new Traces(null));
    private final Dispatch dispatch = Dispatches.to(Dispatches.endpoint(1, new Tenant(14)));

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void theFirstAttemptIsMeasuredToItsStartAndADeliveryToItsEnd() {
        journal.record(completed(dispatch, AttemptOutcome.REJECTED, 500));
        journal.record(completed(retry(), AttemptOutcome.DELIVERED, 204));

        assertThat(timer("ligeiro.webhook.first_attempt").count()).isEqualTo(1);
        assertThat(timer("ligeiro.webhook.first_attempt").max(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
        assertThat(timer("ligeiro.webhook.latency").count()).isEqualTo(1);
        assertThat(timer("ligeiro.webhook.latency").max(TimeUnit.MILLISECONDS)).isEqualTo(230);
    }

    @Test
    void writesOneLineAnAttemptWithoutUrlPayloadAndResponse() {
        journal.record(completed(dispatch, AttemptOutcome.REJECTED, 500));
        journal.record(completed(retry(), AttemptOutcome.DELIVERED, 204));

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO, Level.DEBUG);
        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly(
                        "event.action=delivery_attempt",
                        "outcome=rejected",
                        "status_code=500",
                        "duration_ms=200",
                        "attempt=1",
                        "merchant.number=7",
                        "mode=test",
                        "endpoint_id=" + dispatch.endpoint().id(),
                        "webhook_id=" + dispatch.eventId(),
                        "event_type=transaction.paid",
                        "request_id=null");
        assertThat(lines.list.get(1).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("outcome=delivered", "attempt=2", "request_id=request-1");
    }

    /** It may have waited for days, because its endpoint was disabled before its first attempt. */
    @Test
    void aReplayIsNoLateFirstAttempt() {
        journal.record(completed(stored(0, true), AttemptOutcome.DELIVERED, 204));

        assertThat(timer("ligeiro.webhook.first_attempt").count()).isZero();
        assertThat(timer("ligeiro.webhook.latency").count()).isEqualTo(1);
    }

    private Dispatch retry() {
        return stored(1, false);
    }

    private Dispatch stored(int attemptsMade, boolean replayed) {
        return new Dispatch(
                dispatch.endpoint(),
                dispatch.eventId(),
                dispatch.eventType(),
                dispatch.eventAt(),
                dispatch.body(),
                attemptsMade,
                replayed,
                null,
                new Origin("request-1", null));
    }

    private static Completed completed(Dispatch dispatch, AttemptOutcome outcome, @Nullable Integer statusCode) {
        Attempt attempt = new Attempt(Dispatches.AT.plus(WAITED), outcome, statusCode, TOOK, "database is down");
        return new Completed(dispatch, attempt, null);
    }

    private Timer timer(String name) {
        return meters.get(name).timer();
    }
}

package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneWindowTest {

    private static final WebhookEndpoint ENDPOINT =
            Endpoints.endpoint(UUID.randomUUID(), Transactions.TENANT, "https://shop.example/hooks");

    /** The window of its endpoint. */
    private int max = 4;

    private final LaneRun.Window window = new LaneRun.Window(() -> max, false);

    @Test
    void atMostTheWindowRuns() {
        window.add(due(9));
        assertThat(start()).isEqualTo(4);
        window.ended();
        assertThat(start()).isEqualTo(1);
    }

    /** While MongoDB is slow, unwritten results must not pile up. */
    @Test
    void atMostTwiceTheWindowIsHeld() {
        window.add(due(20));
        start();
        IntStream.range(0, 4).forEach(ended -> window.ended());
        assertThat(start()).isEqualTo(4);
        IntStream.range(0, 4).forEach(ended -> window.ended());
        assertThat(start()).isZero();
        window.written(due(1).get(0).id());
        assertThat(start()).isEqualTo(1);
    }

    /** It is still due in MongoDB until its result is written. */
    @Test
    void aHeldDeliveryThatIsReadAgainDoesNotWaitAgain() {
        window.add(due(2));
        start();
        assertThat(window.beginRead()).isEqualTo(10);
        window.add(due(3));
        assertThat(start()).isEqualTo(1);
        assertThat(window.hasWaiting()).isFalse();
        due(3).forEach(sent -> window.written(sent.id()));
        assertThat(window.holdsNothing()).isTrue();
    }

    @Test
    void aDeliveryWhoseResultIsWrittenDuringAReadIsNotAttemptedAgain() {
        window.add(due(2));
        start();
        window.beginRead();
        due(2).forEach(sent -> {
            window.ended();
            window.written(sent.id());
        });
        window.add(due(3));
        assertThat(start()).isEqualTo(1);
    }

    /** Its merchant has changed the URL: no further delivery goes to the old one. */
    @Test
    void deliveriesThatWereReadWithAnotherVersionOfTheEndpointAreForgotten() {
        window.add(due(9));
        start();
        assertThat(window.forgetOutdated(ENDPOINT.version())).isFalse();
        assertThat(window.hasWaiting()).isTrue();

        assertThat(window.forgetOutdated(ENDPOINT.version() + 1)).isTrue();
        assertThat(window.hasWaiting()).isFalse();
        assertThat(window.beginRead()).isEqualTo(4 + 8);
        window.add(due(9));
        assertThat(window.forgetOutdated(null)).isTrue();
        assertThat(window.forgetOutdated(null)).isFalse();
    }

    @Test
    void aFailingEndpointGetsOneAttemptAndEachSuccessDoublesThat() {
        LaneRun.Window failing = new LaneRun.Window(() -> max, true);
        assertThat(failing.beginRead()).isEqualTo(2);
        failing.grow();
        assertThat(failing.beginRead()).isEqualTo(4);
        IntStream.range(0, 9).forEach(success -> failing.grow());
        assertThat(failing.beginRead()).isEqualTo(8);
        failing.shrink();
        assertThat(failing.beginRead()).isEqualTo(2);
    }

    @Test
    void itFollowsTheWindowOfTheEndpoint() {
        window.add(due(9));
        max = 2;
        assertThat(start()).isEqualTo(2);
        max = 5;
        window.grow();
        assertThat(start()).isEqualTo(3);
    }

    /** Starts attempts until none may start, and gives their number. */
    private int start() {
        int started = 0;
        while (window.next() != null) {
            window.started();
            started++;
        }
        return started;
    }

    private static List<Dispatch> due(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(sequence -> new Dispatch(
                        ENDPOINT,
                        new EventId(Transactions.ID, sequence),
                        "transaction.paid",
                        Transactions.CREATED_AT,
                        Dispatch.NO_BODY,
                        0,
                        false,
                        Transactions.CREATED_AT,
                        Origin.NONE))
                .toList();
    }
}

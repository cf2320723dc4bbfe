package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks at the statuses of all transactions with an open page and shows the pages what it found. It reads nothing while no page is open,
 * and at most 2,000 statuses a second: with 10,000 transactions each is looked at every 5 s.
 */
@Component
class LookAtPages implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LookAtPages.class);
    private static final int QUERY_MAX = 500;
    /** The shortest time between two looks: a page changes after at most this time while there are at most 2,000. */
    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration SPACING = Duration.ofNanos(500_000);

    private final OpenPages pages;
    private final CheckoutStore store;
    private final RepeatedWork looks;

    LookAtPages(OpenPages pages, CheckoutStore store) {
        this.pages = pages;
        this.store = store;
        this.looks = new RepeatedWork(this::pause, () -> look(pages.transactions()), LookAtPages::report);
    }

    @Override
    public void start() {
        looks.start();
    }

    private Duration pause() {
        Duration spaced = SPACING.multipliedBy(pages.count());
        return spaced.compareTo(EVERY) > 0 ? spaced : EVERY;
    }

    /** Pages keep their status while MongoDB does not answer; the next look follows as usual. */
    private Mono<Void> look(List<TransactionId> transactions) {
        return Flux.fromIterable(transactions)
                .buffer(QUERY_MAX)
                .concatMap(batch -> store.noLongerPending(batch).doOnNext(found -> pages.show(batch, found)))
                .then();
    }

    private static void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "checkout_look_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The statuses of open checkout pages could not be read; the next look follows");
    }

    /** Runs first, since the HTTP server waits for open streams when it stops. The pages connect again, to another gateway. */
    @Override
    public void stop() {
        looks.stop();
        pages.close();
    }

    @Override
    public boolean isRunning() {
        return looks.isRunning();
    }
}

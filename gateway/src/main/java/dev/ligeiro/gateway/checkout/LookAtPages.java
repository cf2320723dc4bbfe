package dev.ligeiro.gateway.checkout;

import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
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
    private static final Duration SPACING = Duration.ofNanos(500_000);

    private final OpenPages pages;
    private final StatusStore store;
    private final Duration every;
    private volatile Disposable looks = () -> {};
    private volatile boolean failing;
    private volatile boolean running;

    LookAtPages(OpenPages pages, StatusStore store, CheckoutProperties properties) {
        this.pages = pages;
        this.store = store;
        this.every = properties.lookEvery();
    }

    @Override
    public void start() {
        running = true;
        looks = Mono.defer(() -> Mono.delay(pause()))
                .then(Mono.defer(() -> look(pages.transactions())))
                .repeat()
                .subscribe();
    }

    private Duration pause() {
        Duration spaced = SPACING.multipliedBy(pages.count());
        return spaced.compareTo(every) > 0 ? spaced : every;
    }

    /** Pages keep their status while MongoDB does not answer; the next look follows as usual. */
    private Mono<Void> look(List<TransactionId> transactions) {
        return Flux.fromIterable(transactions)
                .buffer(QUERY_MAX)
                .concatMap(batch -> store.noLongerPending(batch).doOnNext(found -> pages.show(batch, found)))
                .then()
                .doOnSuccess(done -> failing = false)
                .onErrorResume(failure -> {
                    report(failure);
                    return Mono.empty();
                });
    }

    /** Logs one line for an outage, not one for each look. */
    private void report(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue("event.action", "checkout_look_failed")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("The statuses of open checkout pages could not be read; the next look follows");
        }
    }

    /** Runs first, since the HTTP server waits for open streams when it stops. The pages connect again, to another gateway. */
    @Override
    public void stop() {
        running = false;
        looks.dispose();
        pages.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}

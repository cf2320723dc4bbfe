package dev.ligeiro.processor.guard;

import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Ends the reservations of paid cashouts that are in the balance, when no later cashout of their tenant has done it. They take nothing from
 * the balance, so nothing waits for it.
 */
@Component
class EndReservations extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(EndReservations.class);

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final double JITTER = 0.2;

    private final TotalsStore store;
    private final FundsStore funds;

    EndReservations(TotalsStore store, FundsStore funds) {
        this.store = store;
        this.funds = funds;
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        return store.withPaid()
                .concatMap(found -> end(found.getKey(), found.getValue()))
                .then();
    }

    /** If another processor has replaced the totals, the next run does it. */
    private Mono<TotalsStore.Stored> end(Tenant tenant, TotalsStore.Stored stored) {
        Totals totals = stored.totals();
        return funds.read(tenant, totals.reserved().keySet())
                .map(read -> totals.withoutPosted(read.posted()))
                .filter(after -> after != totals)
                .flatMap(after -> store.replace(tenant, stored, after));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "reservations_not_ended")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("Reservations of paid cashouts could not be ended; it is tried again");
    }
}

package dev.ligeiro.processor.notice;

import dev.ligeiro.processor.rail.live.BankLists.Span;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Finds payments of the hours before the latest half hour, up to 72 hours back. It asks the bank for the number of payments in an hour, and
 * reads the hour if the number has changed since the last look, or if a transaction of ours has had no outcome since that hour.
 */
@Component
class CheckOlderHours {

    private static final Logger LOG = LoggerFactory.getLogger(CheckOlderHours.class);

    /** With checks every 5 minutes, each hour has its look every 2 hours. */
    private static final int HOURS_MAX = 3;

    /** After each page, because an older hour is not urgent: 1,000 payments a second. */
    private static final Duration PAGE_PAUSE = Duration.ofMillis(100);

    private final ReadPayments payments;
    private final OlderHoursStore store;
    private final Clock clock;

    CheckOlderHours(ReadPayments payments, OlderHoursStore store, Clock clock) {
        this.payments = payments;
        this.store = store;
        this.clock = clock;
    }

    /** An hour with the bank's number of payments. */
    private record Counted(Span hour, long payments) {}

    /** Looks at the next few hours before {@code latest}, until the first that must be read, and reads that one. */
    Mono<Void> check(Span latest) {
        return store.read(latest.rail())
                .flatMapIterable(known -> known.inOrder(latest.to(), latest.from())
                        .limit(HOURS_MAX)
                        .toList())
                .concatMap(from -> look(new Span(latest.rail(), latest.bank(), from, from.plus(1, ChronoUnit.HOURS))))
                .next()
                .flatMap(this::read);
    }

    /** The hour if it must be read. */
    private Mono<Counted> look(Span hour) {
        return Mono.zip(store.read(hour.rail()), payments.count(hour), store.hasUnsettled(hour))
                .flatMap(found -> {
                    Counted counted = new Counted(hour, found.getT2());
                    boolean isRead = found.getT1().isRead(hour.from(), counted.payments());
                    return isRead && !found.getT3() ? seen(counted).then(Mono.empty()) : Mono.just(counted);
                });
    }

    private Mono<Void> read(Counted counted) {
        return payments.publish(counted.hour(), PAGE_PAUSE).then(seen(counted)).doOnSuccess(done -> LOG.atInfo()
                .addKeyValue("event.action", "hour_read_again")
                .addKeyValue("rail", counted.hour().rail())
                .addKeyValue("hour", counted.hour().from())
                .addKeyValue("payments", counted.payments())
                .log(
                        "The payments of this hour were read: the bank had another number of them than at the last look, or the"
                                + " outcome of a transaction is unknown since then"));
    }

    private Mono<Void> seen(Counted counted) {
        Span hour = counted.hour();
        return store.read(hour.rail())
                .map(known -> known.with(hour.from(), new OlderHours.Look(counted.payments(), clock.instant())))
                .flatMap(known -> store.write(hour.rail(), known));
    }
}

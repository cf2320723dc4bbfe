package dev.ligeiro.processor.notice;

import dev.ligeiro.processor.rail.live.BankLists.Span;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds what a bank has moved back of older payments, if its notice was lost. Once a day it reads the payments of the last 90 days that have a
 * refund, a few days of them at each pass of catch-up, the latest first. A day that the bank does not tell is
 * logged and read in the next round: it must not keep the older ones from being read.
 */
@Component
class CheckReturned {

    private static final int DAYS = 90;
    private static final Duration DAY = Duration.ofDays(1);
    /** How long the 90 days take, so that there is time for what fails. */
    private static final Duration ROUND = Duration.ofHours(12);

    /** After each page: it is not urgent. */
    private static final Duration PAGE_PAUSE = Duration.ofMillis(100);

    private final ReadPayments payments;
    private final OlderHoursStore store;
    private final int daysAPass;
    private final Clock clock;

    CheckReturned(ReadPayments payments, OlderHoursStore store, NoticeProperties properties, Clock clock) {
        this.payments = payments;
        this.store = store;
        this.daysAPass = 1 + (int) (DAYS * properties.catchUpEvery().toSeconds() / ROUND.toSeconds());
        this.clock = clock;
    }

    /**
     * How far the 90 days are read.
     *
     * @param begunAt the days end at this time
     * @param days how many of them are read
     */
    record Round(Instant begunAt, int days) {}

    /** @param account any span of the account */
    Mono<Void> check(Span account) {
        return store.round(account.rail())
                .filter(round -> clock.instant().isBefore(round.begunAt().plus(DAY)))
                .switchIfEmpty(Mono.fromSupplier(() -> new Round(clock.instant(), 0)))
                .flatMapMany(round -> Flux.range(round.days(), Math.min(daysAPass, DAYS - round.days()))
                        .concatMap(day -> read(account, round.begunAt().minus(DAY.multipliedBy(day)))
                                .then(store.write(account.rail(), new Round(round.begunAt(), day + 1)))))
                .then();
    }

    private Mono<Void> read(Span account, Instant end) {
        return payments.publishReturned(new Span(account.rail(), account.bank(), end.minus(DAY), end), PAGE_PAUSE);
    }
}

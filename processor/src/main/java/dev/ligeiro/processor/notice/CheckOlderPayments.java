package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.notice.OlderHours.Returned;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankLists;
import dev.ligeiro.processor.rail.bank.BankLists.Span;
import dev.ligeiro.support.mongo.LeaseStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds what the latest half hour of a bank's list does not have: payments that are dated back up to 72 hours, and refunds of payments of the
 * last 90 days.
 */
@Component
class CheckOlderPayments {

    private static final Logger LOG = LoggerFactory.getLogger(CheckOlderPayments.class);

    /** With checks every 5 minutes, each hour has its look every 2 hours. */
    private static final int HOURS_MAX = 3;

    /** After each page, because older payments are not urgent: 1,000 payments a second. */
    private static final Duration PAGE_PAUSE = Duration.ofMillis(100);

    private static final int DAYS = 90;
    private static final Duration DAY = Duration.ofDays(1);
    /** How long the 90 days take, so that there is time for what fails. */
    private static final Duration ROUND = Duration.ofHours(12);

    private final BankLists lists;
    private final ReportPayments reports;
    private final TransactionBatchStore transactions;
    private final LeaseStore leases;
    private final int daysAPass;
    private final Duration pagePause;
    private final Clock clock;

    @Autowired
    CheckOlderPayments(
            BankLists lists,
            ReportPayments reports,
            TransactionBatchStore transactions,
            LeaseStore leases,
            NoticeProperties properties,
            Clock clock) {
        this(lists, reports, transactions, leases, properties, PAGE_PAUSE, clock);
    }

    CheckOlderPayments(
            BankLists lists,
            ReportPayments reports,
            TransactionBatchStore transactions,
            LeaseStore leases,
            NoticeProperties properties,
            Duration pagePause,
            Clock clock) {
        this.lists = lists;
        this.reports = reports;
        this.transactions = transactions;
        this.leases = leases;
        this.daysAPass = 1 + (int) (DAYS * properties.catchUpEvery().toSeconds() / ROUND.toSeconds());
        this.pagePause = pagePause;
        this.clock = clock;
    }

    /**
     * Looks at the next few hours before {@code latest}, and reads the first that must be read: the bank has another number of payments in it
     * than at the last look, or a transaction of ours has had no outcome since that hour.
     */
    Mono<Void> hours(Span latest) {
        return known(latest.bank().rail())
                .flatMapIterable(known -> known.inOrder(latest.to(), latest.from())
                        .limit(HOURS_MAX)
                        .toList())
                .concatMap(from -> look(new Span(latest.bank(), from, from.plus(1, ChronoUnit.HOURS))))
                .next()
                .flatMap(this::read);
    }

    /** An hour with the bank's number of payments. */
    private record Counted(Span hour, long payments) {}

    /** The hour if it must be read. */
    private Mono<Counted> look(Span hour) {
        return Mono.zip(
                        known(hour.bank().rail()),
                        lists.count("payments_count", hour),
                        transactions.hasUnsettled(hour.bank().rail(), hour.from(), hour.to()))
                .flatMap(found -> {
                    Counted counted = new Counted(hour, found.getT2());
                    boolean isRead = found.getT1().isRead(hour.from(), counted.payments());
                    return isRead && !found.getT3() ? seen(counted).then(Mono.empty()) : Mono.just(counted);
                });
    }

    private Mono<Void> read(Counted counted) {
        Span hour = counted.hour();
        Flux<List<RailNotice>> pages = lists.received("payments", hour, BankLists.ALL)
                .map(page -> ReadNotices.ofList(hour.bank().rail(), page));
        return publish(pages, true).then(seen(counted)).doOnSuccess(done -> LOG.atInfo()
                .addKeyValue("event.action", "hour_read_again")
                .addKeyValue("rail", hour.bank().rail())
                .addKeyValue("hour", hour.from())
                .addKeyValue("payments", counted.payments())
                .log(
                        "The payments of this hour were read: the bank had another number of them than at the last look, or the"
                                + " outcome of a transaction is unknown since then"));
    }

    private Mono<Void> seen(Counted counted) {
        String rail = counted.hour().bank().rail();
        return known(rail)
                .map(known ->
                        known.with(new OlderHours.Look(counted.hour().from(), counted.payments(), clock.instant())))
                .flatMap(known -> leases.setProgress(hoursOf(rail), OlderHours.class, known));
    }

    private Mono<OlderHours> known(String rail) {
        return leases.progress(hoursOf(rail), OlderHours.class).defaultIfEmpty(new OlderHours(List.of()));
    }

    private static String hoursOf(String rail) {
        return "catch-up/" + rail;
    }

    /**
     * Reads once a day the payments of the last 90 days that have a refund, whose notices may be lost, a few days of them at each pass, the
     * latest first. A day that the bank does not tell is logged and read in the next round: it must not keep the older ones from being read.
     */
    Mono<Void> returned(BankAccount bank) {
        String id = hoursOf(bank.rail()) + "/returned";
        return leases.progress(id, Returned.class)
                .filter(round -> clock.instant().isBefore(round.from().plus(DAY)))
                .switchIfEmpty(Mono.fromSupplier(() -> new Returned(clock.instant(), 0)))
                .flatMapMany(round -> Flux.range(round.days(), Math.min(daysAPass, DAYS - round.days()))
                        .concatMap(day -> readReturned(bank, round.from().minus(DAY.multipliedBy(day)))
                                .then(leases.setProgress(id, Returned.class, new Returned(round.from(), day + 1)))))
                .then();
    }

    private Mono<Void> readReturned(BankAccount bank, Instant end) {
        String rail = bank.rail();
        Span day = new Span(bank, end.minus(DAY), end);
        return publish(
                Flux.concatDelayError(
                                lists.received("payments_returned", day, BankLists.RETURNED)
                                        .map(page -> ReadNotices.ofList(rail, page)),
                                // only hints: who sends a payment in the bank's app needs no transaction here
                                lists.sent("sent_returned", day, BankLists.RETURNED)
                                        .map(page -> ReadNotices.ofNotice(rail, page)))
                        .onErrorResume(failure -> {
                            reportUnread(day, failure);
                            return Flux.empty();
                        }),
                false);
    }

    private static void reportUnread(Span day, Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "returned_unread")
                .addKeyValue("rail", day.bank().rail())
                .addKeyValue("from", day.from())
                .addKeyValue("to", day.to())
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A bank's payments of this time that have refunds were not read; they are read again a day later");
    }

    /** @param withForeign whether payments without an id of ours become unmatched ones; older ones may be from before Ligeiro had the account */
    private Mono<Void> publish(Flux<List<RailNotice>> pages, boolean withForeign) {
        return pages.concatMap(
                        page -> reports.unknown(page)
                                .map(unknown -> unknown.stream()
                                        .filter(report -> withForeign || ReadNotices.hasOurId(report))
                                        .toList())
                                .flatMap(reports::publish)
                                .then(Mono.delay(pagePause)),
                        0)
                .then();
    }
}

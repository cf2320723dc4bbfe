package dev.ligeiro.processor.rail;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.Interval;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The rails of this processor. A transaction goes to the rail whose name is stored with it, a test transaction only to the simulator, a
 * live one never. Each rail and paying account has a circuit breaker of this processor and a bound of calls at once: that of a bank account
 * holds over all processors ({@link ShareCalls}), that of the simulator for this one. If a rail breaks its contract by failing, or by
 * completing with null, the outcome is {@link RailOutcome.Unknown}: never a denial, never a second submission.
 */
@Component
public class Rails {

    private static final Logger LOG = LoggerFactory.getLogger(Rails.class);
    private static final Duration MISSING_LOG_PAUSE = Duration.ofMinutes(1);

    private final Map<String, PaymentRail> byName;
    private final Map<String, RailFacts> factsByName;
    /** The rails with one account each, of their own name, whose calls at once are shared by all processors. */
    private final Set<String> shared;

    private final MeterRegistry meters;
    private final Counter missing;
    private final Clock clock;
    private final Map<String, RailAccounts> accounts = new ConcurrentHashMap<>();
    private final Map<String, Interval> missingLogged = new ConcurrentHashMap<>();

    Rails(
            Collection<PaymentRail> unshared,
            SharedRails sharedRails,
            RestoreProperties restore,
            MeterRegistry meters,
            Clock clock) {
        List<PaymentRail> rails =
                Stream.concat(unshared.stream(), sharedRails.rails().stream()).toList();
        this.shared =
                sharedRails.rails().stream().map(rail -> rail.facts().name()).collect(Collectors.toSet());
        this.byName =
                rails.stream().collect(Collectors.toMap(rail -> rail.facts().name(), Function.identity()));
        this.factsByName = rails.stream()
                .map(rail -> rail.facts().withRestoredAt(restore.at()))
                .collect(Collectors.toMap(RailFacts::name, Function.identity()));
        this.meters = meters;
        this.clock = clock;
        this.missing = Counter.builder("ligeiro.rail.missing")
                .description("Commands of transactions whose rail this processor does not have")
                .baseUnit("commands")
                .register(meters);
        byName.keySet().forEach(rail -> Gauge.builder("ligeiro.rail.breakers.open", () -> openBreakers(rail))
                .description("Paying accounts whose calls this processor does not make, because the rail fails")
                .tag("rail", rail)
                .register(meters));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    /** Whether this processor has the rail of {@code transaction}. */
    public boolean has(Transaction transaction) {
        return find(transaction).isPresent();
    }

    /** What the rail of {@code transaction} states about itself; empty, logged and counted when this processor does not have the rail. */
    public Optional<RailFacts> facts(Transaction transaction) {
        Optional<RailFacts> facts = find(transaction)
                .map(rail -> Objects.requireNonNull(factsByName.get(rail.facts().name())));
        if (facts.isEmpty()) {
            reportMissing(transaction.terms().rail(), transaction);
        }
        return facts;
    }

    /** Whether the cashout's rail pays it only if its document is that of the key's owner. */
    public boolean comparesOwner(Transaction cashout) {
        return find(cashout).filter(rail -> rail.comparesOwner(cashout)).isPresent();
    }

    private Optional<PaymentRail> find(Transaction transaction) {
        String name = transaction.terms().rail();
        boolean isTest = transaction.tenant().mode() == Mode.TEST;
        // at the simulator a live transaction would be paid without money
        return name.equals(RailProperties.SIMULATOR) == isTest
                ? Optional.ofNullable(byName.get(name))
                : Optional.empty();
    }

    /** Each command is counted. One a minute is logged, because every waiting transaction has a command each five minutes. */
    private void reportMissing(String rail, Transaction transaction) {
        missing.increment();
        if (!missingLogged
                .computeIfAbsent(rail, name -> new Interval(MISSING_LOG_PAUSE))
                .begin(clock.instant())) {
            return;
        }
        LoggedMerchant.add(
                        LOG.atWarn().addKeyValue("event.action", "rail_missing").addKeyValue("rail", rail),
                        transaction.tenant())
                .addKeyValue("transaction_id", transaction.id())
                .addKeyValue("status", transaction.status().code())
                .log("This processor does not have the rail of the transaction; no other is asked, the transaction"
                        + " waits");
    }

    /**
     * Calls the rail. The future never fails, and is already done when the rail answers at once.
     *
     * @param transaction as it is stored, with the rail call that a submission belongs to
     */
    public CompletableFuture<RailOutcome> ask(RailRequest request, Transaction transaction) {
        PaymentRail rail = find(transaction).orElseThrow();
        RailOutcome notMade =
                request.call() == RailCallKind.SUBMIT ? new RailOutcome.NotStarted() : new RailOutcome.Unknown();
        Instant startBy = startBy(rail.facts(), request, transaction);
        Supplier<CompletableFuture<RailOutcome>> call = call(rail, request, transaction);
        return accounts(rail.facts())
                .call(rail.account(transaction), request.call(), transaction.tenant(), call, startBy, notMade)
                .exceptionally(fault -> {
                    RailOutcome outcome = RailFault.isBeforeCall(fault) ? notMade : new RailOutcome.Unknown();
                    LoggedMerchant.add(
                                    LOG.atWarn()
                                            .addKeyValue("event.action", "rail_failed")
                                            .addKeyValue("rail", rail.facts().name())
                                            .addKeyValue("call", request.call().code()),
                                    transaction.tenant())
                            .addKeyValue("transaction_id", transaction.id())
                            .addKeyValue("outcome", outcome.code())
                            .addKeyValue("cause", RailFault.describe(fault))
                            .log("A rail call failed");
                    return outcome;
                })
                .thenApply(outcome -> {
                    count(rail.facts().name(), request.call(), outcome);
                    return outcome;
                });
    }

    /**
     * Makes a call of no transaction as a submission: within the account's bound of calls at once, in turns with the submissions, and not
     * while its circuit breaker is open. Whatever the bank answers, it is there: a missing permission must not open the circuit breaker.
     *
     * @param rail the name of a rail with one account of the same name
     * @return the answer, or a {@link RailFault} if the call could not start within {@code startWithin}
     */
    public <A> Mono<A> make(String rail, Mono<A> call, Duration startWithin) {
        return Mono.fromFuture(() ->
                        calls(rail, call.map(Optional::of), clock.instant().plus(startWithin)))
                .flatMap(Mono::justOrEmpty)
                .switchIfEmpty(Mono.error(() -> new RailFault("not called: too many calls, or the rail fails")));
    }

    private <A> CompletableFuture<Optional<A>> calls(String rail, Mono<Optional<A>> call, Instant startBy) {
        return accounts(Objects.requireNonNull(factsByName.get(rail)))
                .call(rail, RailCallKind.SUBMIT, null, call::toFuture, startBy, Optional.empty());
    }

    /** The rails whose calls at once are shared by all processors. */
    List<RailFacts> shared() {
        return factsByName.values().stream()
                .filter(facts -> shared.contains(facts.name()))
                .toList();
    }

    /** The calls of a rail with one account of the same name. */
    AccountCalls calls(String rail) {
        return accounts(Objects.requireNonNull(factsByName.get(rail))).account(rail);
    }

    private RailAccounts accounts(RailFacts facts) {
        return accounts.computeIfAbsent(facts.name(), name -> {
            int permitted = shared.contains(name) ? 0 : facts.callsAtOnceMax();
            return new RailAccounts(facts, permitted, clock, Ticker.systemTicker());
        });
    }

    private void count(String rail, RailCallKind call, RailOutcome outcome) {
        meters.counter("ligeiro.rail.calls", "rail", rail, "call", call.code(), "outcome", outcome.code())
                .increment();
    }

    /** The call holds neither the other refunds nor their entries: thousands of calls may wait. */
    private static Supplier<CompletableFuture<RailOutcome>> call(
            PaymentRail rail, RailRequest request, Transaction transaction) {
        Transaction told = transaction.withOnly(request.refund());
        if (request.refund() == null) {
            return switch (request.call()) {
                case SUBMIT -> () -> rail.submit(told);
                case INQUIRE -> () -> rail.inquire(told);
                case CANCEL -> () -> rail.cancel(told);
            };
        }
        boolean submits = request.call() == RailCallKind.SUBMIT;
        Refund refund = told.history().refunds().stream()
                .filter(one -> one.id().equals(request.refund()))
                .findFirst()
                .orElseThrow();
        return submits ? () -> rail.refund(told, refund) : () -> rail.inquireRefund(told, refund);
    }

    /**
     * A submission does not begin later, because another processor may then take it over. An inquiry that has waited for longer
     * is not made, because its answer could come when the next one is already due.
     */
    private Instant startBy(RailFacts facts, RailRequest request, Transaction transaction) {
        Instant now = clock.instant();
        return request.call() == RailCallKind.SUBMIT
                ? transaction
                        .railCall(request.refund())
                        .map(RailCall::since)
                        .orElse(now)
                        .plus(facts.lateArrival())
                : now.plus(facts.callTimeout());
    }

    private long openBreakers(String rail) {
        RailAccounts called = accounts.get(rail);
        return called == null ? 0 : called.openBreakers();
    }
}

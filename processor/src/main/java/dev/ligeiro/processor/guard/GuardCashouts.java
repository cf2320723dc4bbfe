package dev.ligeiro.processor.guard;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.Totals.End;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.mongo.MongoFaults;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Guards the cashouts of a batch. Where a limit counts or funds are checked, cashouts are reserved before the batch is decided, and ended when
 * it is stored, with one replacement of the tenant's totals each. After a crash the repeated batch finds its reservations. The steps take
 * nothing from MongoDB while no tenant of the batch has such a guard.
 *
 * <p>What one tenant waits for does not hold the others: when processors compete for its totals, its cashouts leave the batch, and their
 * commands come again at the end of it. While its earlier cashouts are counted for the first time, they come again some seconds later.
 */
@Component
public class GuardCashouts {

    private static final int TENANTS_AT_ONCE = 8;
    private static final Duration COUNTED_AFTER_MIN = Duration.ofSeconds(2);

    private final KnownSettings known;
    private final ReplaceTotals totals;
    private final BatchSender sender;
    private final Rails rails;
    private final MeterRegistry meters;
    private final Clock clock;
    /** In bytes, of the commands that wait here. */
    private final Semaphore room = new Semaphore(ProcessorMemoryBudget.CASHOUTS_WAITING);

    GuardCashouts(
            KnownSettings known,
            ReplaceTotals totals,
            BatchSender sender,
            Rails rails,
            MeterRegistry meters,
            Clock clock) {
        this.known = known;
        this.totals = totals;
        this.sender = sender;
        this.rails = rails;
        this.meters = meters;
        this.clock = clock;
        // so that all series exist, with 0, before the first denial
        EnumSet.range(GuardVerdict.CASHOUTS_STOPPED, GuardVerdict.INSUFFICIENT_FUNDS)
                .forEach(this::denials);
    }

    private Counter denials(GuardVerdict reason) {
        return Counter.builder("ligeiro.guard.denials")
                .description("Cashouts that were denied before they reached their rail, by reason")
                .tag("reason", reason.code())
                .register(meters);
    }

    /** The guard for one batch: what operators have set does not change within it. */
    public Mono<OfBatch> begin() {
        return known.now().onErrorMap(MongoFaults::classified).map(OfBatch::new);
    }

    /** The guard of one batch. */
    public final class OfBatch {

        private final KnownSettings.Known known;
        private final GuardSettings settings;
        private final Map<TransactionId, GuardVerdict> denied = new HashMap<>();
        /** The cashouts that could not be decided, and those whose reservations could not be ended. */
        private final Set<TransactionId> again = ConcurrentHashMap.newKeySet();

        private Map<TransactionId, GuardVerdict> reserved = Map.of();

        OfBatch(KnownSettings.Known known) {
            this.known = known;
            this.settings = known.settings();
        }

        /** Whether the batch must read the transaction from the store: a repeated command carries it as it was when new. */
        public boolean mustLoad(Transaction carried) {
            return settings.counts(carried);
        }

        /** Whether the cashout may go to its rail, as {@link #reserve} has left it. */
        public GuardVerdict verdict(Transaction cashout) {
            if (known.isOutdated()) {
                again.add(cashout.id());
                return GuardVerdict.WAITS;
            }
            GuardVerdict alone = settings.verdict(cashout, rails::comparesOwner);
            GuardVerdict verdict =
                    alone == GuardVerdict.PASSED && cashout.status() == Status.PENDING && settings.counts(cashout)
                            ? reserved.getOrDefault(cashout.id(), GuardVerdict.WAITS)
                            : alone;
            if (verdict.isDenial()) {
                denied.put(cashout.id(), verdict);
            }
            return verdict == GuardVerdict.PASSED && settings.needsApproval(cashout)
                    ? GuardVerdict.APPROVAL_REQUIRED
                    : verdict;
        }

        /** Reserves the new cashouts among the stored transactions of the batch. */
        public Mono<Void> reserve(Collection<Transaction> stored) {
            Instant now = clock.instant();
            Map<Tenant, List<Transaction>> counted = stored.stream()
                    .filter(settings::counts)
                    .filter(cashout -> isNew(cashout, now))
                    .filter(rails::has)
                    .filter(cashout -> settings.verdict(cashout, rails::comparesOwner) == GuardVerdict.PASSED)
                    .collect(Collectors.groupingBy(Transaction::tenant));
            if (counted.isEmpty()) {
                return Mono.empty();
            }
            Map<TransactionId, GuardVerdict> verdicts = new HashMap<>();
            return Flux.fromIterable(counted.entrySet())
                    .flatMap(tenant -> reserve(guard(tenant.getKey()), tenant.getValue(), now), TENANTS_AT_ONCE)
                    .doOnNext(verdicts::putAll)
                    .then(Mono.fromRunnable(() -> reserved = verdicts));
        }

        private Mono<Map<TransactionId, GuardVerdict>> reserve(
                CashoutGuard guard, List<Transaction> cashouts, Instant now) {
            return totals.reserve(guard, cashouts, now)
                    .switchIfEmpty(Mono.fromRunnable(() -> publishLater(
                            cashouts, untilCounted(Duration.between(now, ReplaceTotals.countBegins(guard))))))
                    .onErrorResume(ReplaceTotals.Contended.class, contended -> {
                        cashouts.forEach(cashout -> again.add(cashout.id()));
                        return Mono.empty();
                    });
        }

        /** Ends the reservations of the cashouts that have ended, and of those that this batch did not take to their rail. */
        public Mono<Void> release(Batch batch) {
            Map<Tenant, Map<TransactionId, End>> ended = new HashMap<>();
            for (CommandRun run : batch.runs()) {
                Transaction cashout = run.stored();
                count(run);
                if (settings.counts(cashout) && hasEnded(cashout)) {
                    ended.computeIfAbsent(cashout.tenant(), tenant -> new HashMap<>())
                            .put(cashout.id(), End.of(cashout.status()));
                }
            }
            return Flux.fromIterable(ended.entrySet())
                    .flatMap(
                            tenant -> totals.end(guard(tenant.getKey()), tenant.getValue())
                                    .onErrorResume(ReplaceTotals.Contended.class, contended -> {
                                        again.addAll(tenant.getValue().keySet());
                                        return Mono.empty();
                                    }),
                            TENANTS_AT_ONCE)
                    .then();
        }

        /** The commands of what this batch could not do, after {@link #release}. Send them before the offsets are committed. */
        public List<TransactionCommand> again(Batch batch) {
            Instant now = clock.instant();
            return again.isEmpty()
                    ? List.of()
                    : batch.runs().stream()
                            .map(CommandRun::stored)
                            .filter(cashout -> again.contains(cashout.id()))
                            .<TransactionCommand>map(cashout -> isNew(cashout, now)
                                    ? new TransactionCommand.Process(cashout)
                                    : new TransactionCommand.DueCheck(cashout.tenant(), cashout.id(), now))
                            .toList();
        }

        private void count(CommandRun run) {
            GuardVerdict denial = denied.get(run.id());
            if (denial != null && denial.code().equals(run.stored().history().denialReason())) {
                denials(denial).increment();
            }
        }

        private boolean hasEnded(Transaction cashout) {
            GuardVerdict verdict = reserved.get(cashout.id());
            if (verdict != null && verdict != GuardVerdict.PASSED) {
                return false;
            }
            return switch (cashout.status()) {
                case PENDING -> verdict != null;
                case IN_PROCESS, IN_ANALYSIS -> false;
                case PAID, REFUND, DENIED, CANCELED, EXPIRED -> true;
            };
        }

        private CashoutGuard guard(Tenant tenant) {
            return Objects.requireNonNull(settings.counting(tenant));
        }
    }

    /**
     * Sends the commands of new cashouts again, after a time; returns at once. Those that it has no room for, or that it loses when the process
     * ends, wait for the gateway: it publishes the command of each transaction that no processor has accepted.
     */
    private void publishLater(List<Transaction> cashouts, Duration after) {
        List<ProducerRecord<byte[], byte[]>> records = cashouts.stream()
                .map(cashout -> RecordPublisher.record(new TransactionCommand.Process(cashout)))
                .filter(record -> room.tryAcquire(record.value().length))
                .toList();
        int bytes = records.stream().mapToInt(record -> record.value().length).sum();
        Mono.delay(after)
                .then(Mono.defer(() -> sender.send(records, record -> record)))
                .onErrorComplete()
                .doFinally(signal -> room.release(bytes))
                .subscribe();
    }

    private static Duration untilCounted(Duration untilItBegins) {
        return untilItBegins.compareTo(COUNTED_AFTER_MIN) < 0 ? COUNTED_AFTER_MIN : untilItBegins;
    }

    private static boolean isNew(Transaction cashout, Instant now) {
        return cashout.status() == Status.PENDING
                && !cashout.accepted()
                && now.isBefore(cashout.terms().expiresAt());
    }
}

package dev.ligeiro.processor.books;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.books.RebuildStore.Found;
import dev.ligeiro.processor.books.RebuildStore.Running;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.store.RebuildFields;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the postings of all stored transactions again, then those of the unmatched payments, when an operator has asked for it, and stores the
 * missing ones. It writes as the listener does, with the batches of its run as the source, so both can write at the same time, and a killed
 * rebuild goes on.
 */
@Component
@ConditionalOnBooleanProperty(name = "ligeiro.books.enabled", matchIfMissing = true)
class RebuildBooks extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RebuildBooks.class);

    /** How soon a request is noticed. */
    private static final Duration EVERY = Duration.ofSeconds(15);

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final double JITTER = 0.2;
    /** The largest transactions have 180 kB and are reduced to their postings one by one. */
    private static final int TRANSACTIONS = 50;

    private final RebuildStore store;
    private final TransactionBatchStore transactions;
    private final UnmatchedPaymentStore unmatched;
    private final PostingStore postings;
    private final BalanceStore balances;
    private final Clock clock;

    RebuildBooks(
            RebuildStore store,
            LeaseStore leases,
            TransactionBatchStore transactions,
            UnmatchedPaymentStore unmatched,
            PostingStore postings,
            BalanceStore balances,
            Clock clock) {
        super(leases.of("books-rebuild-lease"), LEASE, clock);
        this.store = store;
        this.transactions = transactions;
        this.unmatched = unmatched;
        this.postings = postings;
        this.balances = balances;
        this.clock = clock;
    }

    @Override
    protected Duration pause() {
        return jittered(EVERY, JITTER);
    }

    /** One batch after the other, until the rebuild has ended. */
    @Override
    protected Mono<Void> work() {
        return store.running()
                .flatMap(store::begin)
                .flatMap(this::batch)
                .defaultIfEmpty(true)
                .repeat()
                .takeUntil(isLast -> isLast)
                .then();
    }

    /** @return whether no batch follows */
    private Mono<Boolean> batch(Running running) {
        return addMissing(running).switchIfEmpty(addPayments(running)).switchIfEmpty(Mono.defer(() -> store.ended(
                        running, clock.instant())
                .doOnSuccess(ended -> LOG.atInfo()
                        .addKeyValue("event.action", "books_rebuilt")
                        .addKeyValue("batches", running.batches())
                        .log("The books have the postings of all transactions that are in MongoDB"))
                .thenReturn(true)));
    }

    /** Empty when no transaction is left. */
    private Mono<Boolean> addMissing(Running running) {
        AtomicReference<@Nullable UUID> last = new AtomicReference<>();
        Flux<Posting> page = store.transactions(running.after(), TRANSACTIONS)
                .doOnNext(one -> last.set(one.id()))
                .mapNotNull(Found::transaction)
                .filter(Transaction::accepted)
                .concatMapIterable(PostingRules::ofAll, 1);
        return add(running, page, RebuildFields.AFTER, last);
    }

    /** The postings of unmatched payments and of what operators have done with them. Empty when none is left. */
    private Mono<Boolean> addPayments(Running running) {
        AtomicReference<@Nullable String> last = new AtomicReference<>();
        Flux<Posting> page = unmatched
                .page(running.afterPayment(), TRANSACTIONS)
                .doOnNext(one -> last.set(one.id()))
                .concatMap(one -> own(one).map(one::bookEvents).defaultIfEmpty(one.bookEvents(null)), 1)
                .concatMapIterable(events -> events)
                .concatMapIterable(PostingRules::of);
        return add(running, page, RebuildFields.AFTER_PAYMENT, last);
    }

    private <T> Mono<Boolean> add(
            Running running, Flux<Posting> page, String field, AtomicReference<@Nullable T> last) {
        return page.collectList()
                .filter(read -> last.get() != null)
                .flatMap(read -> write(running, read))
                .flatMap(added -> store.done(running, field, requireNonNull(last.get()), added))
                .then(Mono.defer(() -> last.get() == null ? Mono.empty() : Mono.just(false)));
    }

    /** The transaction that the rail has named; empty if it is not stored, or damaged. */
    private Mono<Transaction> own(RecordedPayment payment) {
        return transactions
                .load(List.of(payment.report()), 1)
                .mapNotNull(
                        loaded -> loaded.find(payment.payment().transactionId()).orElse(null))
                .onErrorResume(fault -> !(fault instanceof TransientFault), damaged -> Mono.empty());
    }

    /** How many of them were missing. */
    private Mono<Integer> write(Running running, List<Posting> read) {
        String source = "rebuild_" + running.run();
        return postings.insert(read.stream()
                        .map(posting -> new SourcedPosting(posting, source, running.batches()))
                        .toList())
                .flatMap(missing -> balances.add(missing).thenReturn(missing.size()));
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "books_not_rebuilt")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("A batch of the rebuild failed; it is tried again");
    }
}

package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.response.TransactionJson;
import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.gateway.publish.CommandPublisher.CausedCommand;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.support.work.WaitingLimit;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Creates transactions: stores them in batches, then publishes the commands of each stored batch. When a create succeeds, the
 * transaction is stored with majority write concern and will be processed, even if this gateway or Kafka fails right afterwards.
 */
@Component
final class CreateTransaction {

    private static final int BATCH_MAX = 128;
    /** While one batch waits for the journal, the next is encoded and sent. With four batches a create costs 6 % more CPU. */
    private static final int IN_FLIGHT_MAX = 2;

    /**
     * Shortest time between the starts of two batches. At 1,500 creates/s, mongod needs 409 µs a create without it (batches
     * of 2), about 310 µs with 2 ms and 277 µs with 4 ms.
     */
    private static final Duration SPACING = Duration.ofMillis(2);

    /**
     * The creates that wait for their insert: as many as the last half second's rate stores in this time, at least {@value WAITING_MIN},
     * at most {@link GatewayMemoryBudget#CREATES_WAITING_MAX}. One more would be answered too late; it is refused at once.
     */
    private static final Duration WAIT_MAX = Duration.ofMillis(400);

    private static final int WAITING_MIN = 500;

    /** The transaction with the same key or reference can be read when a majority has it, usually within 20 ms. */
    private static final Duration LOOKUP_INTERVAL = Duration.ofMillis(50);

    private static final int REPEATED_LOOKUPS_MAX = 20;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final NewTransaction newTransaction;
    private final InsertStore store;
    private final TransactionStore holders;
    private final LocationStock locations;
    private final CommandPublisher publisher;
    private final TransactionJson transactionJson;
    private final RequestBatcher<Pending, Void> batches;

    CreateTransaction(
            NewTransaction newTransaction,
            InsertStore store,
            TransactionStore holders,
            LocationStock locations,
            CommandPublisher publisher,
            TransactionJson transactionJson) {
        this.newTransaction = newTransaction;
        this.store = store;
        this.holders = holders;
        this.locations = locations;
        this.publisher = publisher;
        this.transactionJson = transactionJson;
        this.batches = new RequestBatcher<>(
                BATCH_MAX,
                IN_FLIGHT_MAX,
                WaitingLimit.ofTime(WAIT_MAX, WAITING_MIN, GatewayMemoryBudget.CREATES_WAITING_MAX),
                SPACING,
                this::storeAndPublish);
    }

    /** @throws dev.ligeiro.support.work.QueueFullException when the gateway is overloaded: a create would be refused */
    void requireRoom() {
        batches.requireRoom();
    }

    /**
     * @param key the request's idempotency key; null when not given
     * @param rail the name of the rail that serves the transaction
     */
    Mono<Created> create(CreateRequest request, Caller caller, @Nullable String key, String rail, Origin origin) {
        boolean needsLocation = request.operation() == Operation.CASHIN && !rail.equals(RailProperties.SIMULATOR);
        return needsLocation
                ? locations
                        .next(rail, caller.tenant())
                        .flatMap(location -> create(request, caller, key, rail, location, origin))
                : create(request, caller, key, rail, null, origin);
    }

    private Mono<Created> create(
            CreateRequest request,
            Caller caller,
            @Nullable String key,
            String rail,
            @Nullable PayloadLocation location,
            Origin origin) {
        Transaction transaction = newTransaction.of(request, caller, key, rail, location);
        Mono<Void> stored = batches.submit(new Pending(transaction, origin));
        // every value of the response is known, so this thread writes it while the insert runs
        Created created = new Created(transaction, transactionJson.one(transaction.snapshot()), false);
        return stored.thenReturn(created)
                .onErrorResume(InsertStore.DuplicateKey.class, duplicate -> original(transaction, location));
    }

    Mono<Transaction> holder(Tenant tenant, String key) {
        return holders.holder(tenant, key);
    }

    /**
     * The answer of the earlier request that made {@code holder} with this key. Stores nothing, so a transaction that could not be
     * created today can still be replayed.
     *
     * @throws Problem 422 when the key belongs to a request that was not equal
     */
    Created replay(CreateRequest request, Caller caller, String key, Transaction holder) {
        List<Transaction> holders = List.of(holder);
        Transaction repeated =
                newTransaction.of(request, caller, key, holder.terms().rail(), null);
        Transaction original = original(repeated, holders).orElseThrow();
        return replayed(original);
    }

    private Mono<RequestBatcher.Outcomes<Void>> storeAndPublish(List<Pending> batch) {
        return store.insert(batch.stream().map(Pending::transaction).toList()).map(inserted -> {
            publisher.publishStored(commands(batch, inserted));
            return inserted;
        });
    }

    /** A create does not wait for Kafka: the sweeper ({@code RepublishUnaccepted}) republishes lost commands. */
    private static List<CausedCommand> commands(List<Pending> batch, InsertStore.Inserted inserted) {
        List<CausedCommand> commands = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            if (inserted.failure(i) == null) {
                Pending stored = batch.get(i);
                commands.add(new CausedCommand(new TransactionCommand.Process(stored.transaction()), stored.origin()));
            }
        }
        return commands;
    }

    /** The answer of the earlier request with the same key. Fails with 422 or 409 as the method below does. */
    private Mono<Created> original(Transaction refused, @Nullable PayloadLocation location) {
        return holders.holders(refused.tenant(), key(refused), refused.terms().reference())
                .doOnNext(found -> putBackUnlessStored(refused, location, found))
                .mapNotNull(found -> original(refused, found).orElse(null))
                .repeatWhenEmpty(lookups -> lookups.take(REPEATED_LOOKUPS_MAX).delayElements(LOOKUP_INTERVAL))
                .map(this::replayed)
                // a failover has rolled back the insert that held the key or the reference
                .switchIfEmpty(Mono.error(() -> Problem.unavailable(
                        "The request with the same key or reference cannot be read yet. Repeat this one",
                        RETRY_AFTER)));
    }

    /** While another transaction has its key or reference, the refused one cannot be stored. Without this, replays would empty the pool. */
    private void putBackUnlessStored(
            Transaction refused, @Nullable PayloadLocation location, List<Transaction> holders) {
        boolean isRefused = holders.stream().anyMatch(holder -> !holder.id().equals(refused.id()));
        if (location != null && isRefused) {
            locations.putBack(refused.terms().rail(), location);
        }
    }

    private Created replayed(Transaction original) {
        return new Created(original, transactionJson.one(original.snapshot()), true);
    }

    /**
     * The transaction that an earlier, equal request has created, as it was then. The key is checked first.
     *
     * @param refused the new transaction, which was not stored
     * @param holders the tenant's transactions with the key or the reference of {@code refused}
     * @return empty when {@code holders} is empty
     * @throws Problem 422 when the key belongs to a request that was not equal, 409 when only the reference is used
     */
    private static Optional<Transaction> original(Transaction refused, List<Transaction> holders) {
        String key = key(refused);
        for (Transaction holder : holders) {
            if (key != null && holder.idempotencyKeys().anyMatch(key::equals)) {
                return Optional.of(replayed(refused, holder, key));
            }
        }
        if (holders.isEmpty()) {
            return Optional.empty();
        }
        throw Problem.of(ProblemCode.REFERENCE_ALREADY_USED, "Another of your transactions has this reference")
                .with("transaction_id", holders.get(0).id());
    }

    /** The idempotency key of the request that created {@code transaction}. */
    private static @Nullable String key(Transaction transaction) {
        return transaction.history().entries().get(0).idempotencyKey();
    }

    private static Transaction replayed(Transaction refused, Transaction holder, String key) {
        if (!key.equals(key(holder)) || !isSame(refused, holder)) {
            throw Problem.idempotencyKeyReused().with("transaction_id", holder.id());
        }
        return holder.asOf(1);
    }

    /**
     * Compares the values that the requests contain, not those that are generated: id, end-to-end id, commission, BR Code. A request
     * without {@code expires_in} or {@code payer_must_match} counts as one with the default.
     */
    private static boolean isSame(Transaction one, Transaction other) {
        Terms a = one.terms();
        Terms b = other.terms();
        return one.operation() == other.operation()
                && a.amount().equals(b.amount())
                && a.payer().equals(b.payer())
                && a.description().equals(b.description())
                && a.platform().equals(b.platform())
                && Objects.equals(a.reference(), b.reference())
                && Objects.equals(a.extra(), b.extra())
                && Objects.equals(a.pixKey(), b.pixKey())
                && Objects.equals(a.returnUrl(), b.returnUrl())
                && Objects.equals(a.fiscal(), b.fiscal())
                && a.payerMustMatch() == b.payerMustMatch()
                && expiresIn(one).equals(expiresIn(other));
    }

    private static Duration expiresIn(Transaction transaction) {
        return Duration.between(transaction.createdAt(), transaction.terms().expiresAt());
    }

    private record Pending(Transaction transaction, Origin origin) {}

    /**
     * A stored transaction.
     *
     * @param json the body of the response
     * @param replayed whether an earlier request has created it
     */
    record Created(Transaction transaction, byte[] json, boolean replayed) {}
}

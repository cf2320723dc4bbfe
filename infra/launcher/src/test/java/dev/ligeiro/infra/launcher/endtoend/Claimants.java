package dev.ligeiro.infra.launcher.endtoend;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Created;
import dev.ligeiro.infra.launcher.endtoend.LiveOrder.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Payers who claim payments back, the bank that decides, and the merchant who refunds and defends itself: each acts when a webhook tells the
 * merchant of the step before.
 */
final class Claimants implements AutoCloseable {

    /** Longer than it takes until the decision is known here: the money must stay blocked meanwhile. */
    private static final Duration RETURNED_AFTER = Duration.ofSeconds(15);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, CompletableFuture<String>> claims = new ConcurrentHashMap<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final LiveBank bank;
    private volatile @Nullable ConstantLoad<LiveOrder> load;

    Claimants(LiveBank bank) {
        this.bank = bank;
    }

    void of(ConstantLoad<LiveOrder> traffic) {
        load = traffic;
    }

    void hear(Change change, JsonNode payload) {
        threads.execute(() -> {
            try {
                act(change.transactionId(), payload);
            } catch (RuntimeException | AssertionError fault) {
                faults.add(change + ": " + fault);
            }
        });
    }

    private void act(String transaction, JsonNode payload) {
        ConstantLoad<LiveOrder> traffic = requireNonNull(load);
        Created<LiveOrder> created = traffic.created().get(transaction);
        if (created == null) {
            return; // it is not paid before it is known
        }
        LiveOrder order = created.kind();
        JsonNode data = payload.required("data");
        switch (payload.required("type").asString()) {
            case "transaction.paid" ->
                paid(traffic, transaction, order, data.required("e2e_id").asString());
            case "dispute.opened" -> opened(traffic, transaction, order, data);
            case "dispute.updated" -> updated(transaction, order);
            default -> {}
        }
    }

    private void paid(ConstantLoad<LiveOrder> traffic, String transaction, LiveOrder order, String e2eId) {
        if (order.refund() != null) {
            traffic.refund(transaction, order.refund());
        }
        if (order.claim() != null) {
            claim(transaction).complete(bank.claim(e2eId, order.claimedAmount()));
        }
    }

    private void opened(ConstantLoad<LiveOrder> traffic, String transaction, LiveOrder order, JsonNode data) {
        Claim claim = requireNonNull(order.claim());
        if (claim.isDefended) {
            traffic.defend(data.required("dispute").required("id").asString());
        }
        if (!claim.isDefended || claim.isDecidedMeanwhile) {
            decide(transaction, order);
        }
    }

    private void updated(String transaction, LiveOrder order) {
        Claim claim = requireNonNull(order.claim());
        if (claim.isDefended && !claim.isDecidedMeanwhile) {
            decide(transaction, order);
        }
    }

    private void decide(String transaction, LiveOrder order) {
        bank.decide(
                claim(transaction).join(),
                requireNonNull(order.claim()).outcome,
                order.isLostWhole() ? RETURNED_AFTER : Duration.ZERO);
    }

    /** The bank's id, once it has it: the webhook may be quicker than the bank's answer to the payer. */
    private CompletableFuture<String> claim(String transaction) {
        return claims.computeIfAbsent(transaction, first -> new CompletableFuture<>());
    }

    /** What the bank has refused, and what no webhook may have. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

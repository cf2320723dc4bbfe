package dev.ligeiro.infra.launcher.endtoend;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Announcement;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Created;
import dev.ligeiro.infra.launcher.endtoend.LiveBank.Injected;
import dev.ligeiro.infra.launcher.endtoend.LiveBank.Moved;
import dev.ligeiro.message.Topics;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks that the bank's ledger and ours agree to the cent: each transaction and refund is settled with exactly the entries that the bank
 * has for it, everything else in the ledger is an unmatched payment or a refund of the rail that the bank's faults have caused, the merchant's
 * balance is what the bank has moved less the unmatched payments, no funds are reserved or blocked any more, each claim is a dispute with the
 * bank's outcome, a payer is wrong only where another has paid, and a webhook has announced each change once.
 *
 * @param created by transaction id
 */
record LedgerCheck(
        EndToEndMerchant merchant,
        AdminApi admin,
        LiveBank bank,
        ChangeReceiver receiver,
        Map<String, Created<LiveOrder>> created) {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final int SHOWN_MAX = 20;

    /** The fault that explains each kind of difference. */
    private static final Map<String, String> CAUSES = Map.ofEntries(
            Map.entry("paid_twice", "second_payment"),
            Map.entry("other_amount", "other_amount"),
            Map.entry("refund of the rail", "unasked_refund"),
            Map.entry("returned_too_much", "unasked_refund"));

    /**
     * Money that moved at the bank without a transaction or refund that asked for it.
     *
     * @param kind the reason of an unmatched payment, or {@code refund of the rail}
     * @param id of the charge
     */
    record Difference(String kind, String id, String amount) {

        String cause() {
            return CAUSES.getOrDefault(kind, "none");
        }
    }

    /** The state of both sides at one time. */
    private record Books(
            Map<String, List<Moved>> payments,
            Map<String, List<Moved>> refunds,
            Map<String, List<JsonNode>> unmatched,
            Set<Injected> injected,
            DisputeCheck disputes) {}

    /**
     * What one look at both sides has found.
     *
     * @param mistakes by transaction id, a text about its difference from the ledger, or about an outcome that is still open
     * @param changes how many changes the transactions have
     */
    private record Found(Map<String, List<String>> mistakes, Queue<Difference> differences, AtomicInteger changes) {

        Found() {
            this(new ConcurrentHashMap<>(), new ConcurrentLinkedQueue<>(), new AtomicInteger());
        }

        void requireNoMistake() {
            assertThat(mistakes.values().stream().flatMap(List::stream).limit(SHOWN_MAX))
                    .as("mistakes in %d transactions", mistakes.size())
                    .isEmpty();
        }
    }

    /** Returns the differences, each explained by a fault. */
    List<Difference> run(Duration within) {
        Map<String, Created<LiveOrder>> unsettled = new ConcurrentHashMap<>(created);
        await("settled").atMost(within).pollInterval(POLL).untilAsserted(() -> {
            Found found = look(unsettled, read());
            unsettled.keySet().retainAll(found.mistakes().keySet());
            found.requireNoMistake();
        });
        List<Difference> differences = new ArrayList<>();
        await("in agreement").atMost(within).pollInterval(POLL).untilAsserted(() -> {
            Books books = read();
            Found found = look(created, books); // once more all of them, after the last webhook
            found.requireNoMistake();
            requireCauses(found.differences(), books);
            requireBalance(books);
            assertThat(receiver.announced())
                    .as("announced changes")
                    .hasSize(found.changes().get());
            differences.addAll(found.differences());
        });
        assertThat(receiver.faults()).isEmpty();
        assertThat(deadLetters()).isEmpty();
        assertThat(merchant.calls().list("").required("total").asLong())
                .as("stored transactions")
                .isEqualTo(created.size());
        return differences;
    }

    private Found look(Map<String, Created<LiveOrder>> transactions, Books books) {
        Found found = new Found();
        transactions.entrySet().parallelStream().forEach(each -> {
            ShownTransaction shown = show(each.getKey());
            List<String> mistakes = shown == null
                    ? List.of(each.getKey() + ": no answer")
                    : mistakes(shown, each.getValue().kind(), books);
            if (!mistakes.isEmpty()) {
                found.mistakes().put(each.getKey(), mistakes);
            } else if (shown != null) {
                found.differences().addAll(differences(shown, books));
                found.changes().addAndGet(types(shown, books).size());
            }
        });
        return found;
    }

    private void requireCauses(Queue<Difference> differences, Books books) {
        Set<String> ours = created.keySet().stream().map(LedgerCheck::bankId).collect(toSet());
        assertThat(books.payments().keySet())
                .as("charges and cashouts for which the bank has moved money")
                .isSubsetOf(ours);
        assertThat(books.unmatched().keySet())
                .as("transactions of unmatched payments")
                .isSubsetOf(ours);
        assertThat(differences)
                .as("differences without a fault that explains them")
                .filteredOn(each -> !books.injected().contains(new Injected(each.cause(), each.id())))
                .isEmpty();
    }

    /** The demo merchant pays no commissions. */
    private void requireBalance(Books books) {
        Stream<Moved> atBank = Stream.of(books.payments(), books.refunds())
                .flatMap(entries -> entries.values().stream())
                .flatMap(List::stream);
        BigDecimal unmatched = books.unmatched().entrySet().stream()
                .flatMap(each -> unmatched(each.getKey(), each.getValue()))
                .map(LedgerCheck::signed)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal moved = atBank.map(LedgerCheck::signed).reduce(BigDecimal.ZERO, BigDecimal::add);
        JsonNode balance =
                merchant.calls().api().get("/api/v1/balance").expect(200).json();
        assertThat(new BigDecimal(text(balance, "balance")))
                .as("the merchant's balance")
                .isEqualByComparingTo(moved.subtract(unmatched));
        assertThat(text(balance, "available"))
                .as("what no cashout has reserved any more")
                .isEqualTo(text(balance, "balance"));
        assertThat(text(balance, "blocked")).as("what disputes block").isEqualTo("0.00");
        JsonNode statement =
                merchant.calls().api().get("/api/v1/statement").expect(200).json();
        assertThat(text(statement, "closing_balance"))
                .as("the statement's balance")
                .isEqualTo(text(balance, "balance"));
    }

    private static BigDecimal signed(Moved moved) {
        BigDecimal amount = new BigDecimal(moved.amount());
        return moved.direction().equals("in") ? amount : amount.negate();
    }

    private Books read() {
        Map<String, List<JsonNode>> unmatched =
                unmatched().stream().collect(groupingBy(payment -> bankId(text(payment, "transaction_id"))));
        List<Moved> ledger = bank.ledger();
        return new Books(
                ledger.stream()
                        .filter(moved -> !moved.direction().equals("refund"))
                        .collect(groupingBy(Moved::id)),
                ledger.stream()
                        .filter(moved -> moved.direction().equals("refund"))
                        .collect(groupingBy(Moved::e2eId)),
                unmatched,
                Set.copyOf(bank.injected()),
                DisputeCheck.read(merchant, bank));
    }

    private List<JsonNode> unmatched() {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = admin.api()
                    .get("/admin/unmatched-payments" + (cursor.isEmpty() ? "" : "?after=" + cursor))
                    .expect(200)
                    .json();
            page.required("unmatched_payments").forEach(all::add);
            cursor = page.path("next_cursor").asStringOpt().orElse("");
        } while (!cursor.isEmpty());
        return all;
    }

    private List<JsonNode> deadLetters() {
        return Stream.of(Topics.COMMANDS, Topics.EVENTS)
                .flatMap(topic -> admin.api()
                        .get("/admin/dead-letters?topic=" + topic)
                        .expect(200)
                        .json()
                        .required("dead_letters")
                        .valueStream())
                .toList();
    }

    /** A text about each difference between the transactions and the ledger, and about each outcome that is still open. */
    private List<String> mistakes(ShownTransaction shown, LiveOrder order, Books books) {
        List<String> mistakes = new ArrayList<>();
        List<Moved> atBank = atBank(shown, books);
        List<Moved> ours = Stream.concat(settled(shown).stream(), unmatched(shown, books).stream())
                .toList();
        if (!sorted(atBank).equals(sorted(ours))) {
            mistakes.add("%s: the bank has moved %s, we have %s".formatted(describe(shown), atBank, ours));
        }
        long moved = atBank.stream()
                .filter(each -> !each.direction().equals("refund"))
                .count();
        if (moved == 0 && !isDeniedForFunds(shown) || moved > 1 && !order.isCashin()) {
            mistakes.add("%s: the bank has moved it %d times".formatted(describe(shown), moved));
        }
        boolean lacksRefund = shown.status().equals("paid")
                && order.refund() != null
                && refunds(shown).isEmpty();
        if (lacksRefund || shown.refundStates().contains("processing")) {
            mistakes.add(describe(shown) + ": its refund is not settled");
        }
        boolean isPaid = shown.events().contains("paid");
        if (isMismatch(shown) != (isPaid && order.isMismatch())) {
            mistakes.add("%s: payer_mismatch is %s".formatted(describe(shown), isMismatch(shown)));
        }
        if (isPaid) {
            mistakes.addAll(books.disputes().mistakes(shown, order));
        }
        List<String> announced = announced(shown);
        List<String> types = types(shown, books);
        if (!announced.equals(types)) {
            mistakes.add("%s: announced as %s, expected %s".formatted(describe(shown), announced, types));
        }
        return mistakes;
    }

    private static boolean isMismatch(ShownTransaction shown) {
        return shown.json().path("payer_mismatch").asBoolean(false);
    }

    /** The guard has denied it before it reached the bank: the merchant's balance was too low then. */
    private static boolean isDeniedForFunds(ShownTransaction shown) {
        return "insufficient_funds"
                .equals(shown.json().path("denial_reason").asStringOpt().orElse(""));
    }

    /** How many cashouts the guard has denied. */
    long deniedForFunds() {
        return merchant.calls().list("status=denied").required("total").asLong();
    }

    private static String describe(ShownTransaction shown) {
        return "%s %s %s".formatted(shown.id(), shown.text("operation"), shown.status());
    }

    /** The entries of its charge or cashout, and of the refunds of its payments. */
    private static List<Moved> atBank(ShownTransaction shown, Books books) {
        List<Moved> payments = books.payments().getOrDefault(bankId(shown.id()), List.of());
        Stream<Moved> refunds = payments.stream()
                .flatMap(payment -> books.refunds().getOrDefault(payment.e2eId(), List.of()).stream())
                .map(refund -> new Moved("refund", ourId(refund.id()), refund.e2eId(), refund.amount()));
        return Stream.concat(payments.stream(), refunds).toList();
    }

    private static List<Moved> settled(ShownTransaction shown) {
        if (!shown.events().contains("paid")) {
            return List.of();
        }
        String e2eId = shown.text("e2e_id");
        String direction = shown.text("operation").equals("cashin") ? "in" : "out";
        Stream<Moved> refunds = refunds(shown).stream()
                .filter(refund -> text(refund, "status").equals("refunded"))
                .map(refund -> new Moved("refund", bankId(text(refund, "id")), e2eId, text(refund, "amount")));
        return Stream.concat(Stream.of(new Moved(direction, bankId(shown.id()), e2eId, shown.text("amount"))), refunds)
                .toList();
    }

    /** The bank's money that the transaction could not take. */
    private static List<Moved> unmatched(ShownTransaction shown, Books books) {
        String id = bankId(shown.id());
        return unmatched(id, books.unmatched().getOrDefault(id, List.of())).toList();
    }

    private static Stream<Moved> unmatched(String id, List<JsonNode> payments) {
        return payments.stream().map(payment -> {
            String[] e2eId = text(payment, "end_to_end_id").split("/");
            String amount = text(payment, "amount");
            return e2eId.length == 1
                    ? new Moved("in", id, e2eId[0], amount)
                    : new Moved("refund", ourId(e2eId[1]), e2eId[0], amount);
        });
    }

    private static List<Difference> differences(ShownTransaction shown, Books books) {
        String id = bankId(shown.id());
        Stream<Difference> unmatched = books.unmatched().getOrDefault(id, List.of()).stream()
                .map(payment -> new Difference(text(payment, "reason"), id, text(payment, "amount")));
        List<String> returned = new ArrayList<>(books.disputes().returned(shown));
        Stream<Difference> refunds = refunds(shown).stream()
                .filter(refund -> text(refund, "origin").equals("rail"))
                .map(refund -> text(refund, "amount"))
                .filter(amount -> !returned.remove(amount))
                .map(amount -> new Difference("refund of the rail", id, amount));
        return Stream.concat(unmatched, refunds).toList();
    }

    /** The types of its webhooks so far, sorted. */
    private List<String> announced(ShownTransaction shown) {
        return Stream.iterate(1, sequence -> sequence + 1)
                .map(sequence -> receiver.announced().get(new Change(shown.id(), sequence)))
                .takeWhile(announcement -> announcement != null)
                .map(Announcement::type)
                .sorted()
                .toList();
    }

    /** The types that its changes so far have, sorted. */
    private static List<String> types(ShownTransaction shown, Books books) {
        List<String> types = new ArrayList<>(List.of("transaction.created"));
        books.disputes().types(shown).forEach(types::add);
        if (isMismatch(shown)) {
            types.add("transaction.payer_mismatch");
        }
        List<String> statuses = shown.events(); // the newest first
        statuses.subList(0, statuses.size() - 1).forEach(status -> types.add("transaction." + status));
        boolean completed = statuses.contains("refund"); // announced with the last refund that was made
        shown.refundStates().stream()
                .filter(state -> state.equals("refunded"))
                .skip(completed ? 1 : 0)
                .forEach(state -> types.add("transaction.refunded_partially"));
        shown.refundStates().stream()
                .filter(state -> state.equals("failed"))
                .forEach(state -> types.add("transaction.refund_failed"));
        return types.stream().sorted().toList();
    }

    private static List<JsonNode> refunds(ShownTransaction shown) {
        return shown.json().path("refunds").valueStream().toList();
    }

    /** Null without an answer, which is possible on a busy machine. */
    private @Nullable ShownTransaction show(String id) {
        try {
            Answer answer = merchant.tryToShow(id);
            return answer.status() == 200 ? new ShownTransaction(answer.transaction()) : null;
        } catch (ApiException noAnswer) {
            return null;
        }
    }

    /** Our ids are UUIDs; at the bank they have no hyphens. */
    private static String bankId(String id) {
        return id.replace("-", "");
    }

    /** The bank's own refunds get an id of ours. */
    private static String ourId(String refundId) {
        return refundId.startsWith("B")
                ? bankId(UUID.nameUUIDFromBytes(refundId.getBytes(StandardCharsets.UTF_8))
                        .toString())
                : refundId;
    }

    private static List<String> sorted(List<Moved> moved) {
        return moved.stream().map(Moved::toString).sorted().toList();
    }

    private static String text(JsonNode node, String field) {
        return node.required(field).asString();
    }
}

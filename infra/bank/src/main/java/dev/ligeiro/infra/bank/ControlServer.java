package dev.ligeiro.infra.bank;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The port for whoever plays payer, bank clerk and saboteur, only on loopback and without TLS. Faults never touch it. */
final class ControlServer implements AutoCloseable {

    private static final int PAGE_SIZE = 1000;
    private static final Pattern DECIDE = Pattern.compile("POST /payer/dispute/([a-z0-9-]+)/decide");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8, Settlements.threads("bank-control"));
    private final Book book;
    private final BankSettings settings;
    private final Faults faults;
    private final Charges charges;
    private final ReceivedPix received;
    private final Claims claims;
    private final SentPix sent;
    private final Settlements settlements;
    private final ApiServer api;

    ControlServer(
            Book book,
            BankSettings settings,
            Faults faults,
            Charges charges,
            ReceivedPix received,
            Claims claims,
            SentPix sent,
            Settlements settlements,
            ApiServer api)
            throws IOException {
        this.book = book;
        this.settings = settings;
        this.faults = faults;
        this.charges = charges;
        this.received = received;
        this.claims = claims;
        this.sent = sent;
        this.settlements = settlements;
        this.api = api;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.controlPort), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply;
            try {
                byte[] body = exchange.getRequestBody().readAllBytes();
                ApiCall call = new ApiCall(
                        List.of(), ApiCall.parse(exchange.getRequestURI().getRawQuery()), body);
                String route = exchange.getRequestMethod() + " "
                        + exchange.getRequestURI().getPath();
                reply = route(route, call);
            } catch (Refusal refusal) {
                reply = refusal.reply();
            } catch (IllegalArgumentException e) {
                reply = Refusal.control(400, String.valueOf(e.getMessage())).reply();
            } catch (RuntimeException e) {
                e.printStackTrace(); // a fault of the bank itself
                reply = Refusal.control(500, e.toString()).reply();
            }
            reply.write(exchange);
        }
    }

    private Reply route(String route, ApiCall call) {
        Matcher decision = DECIDE.matcher(route);
        if (decision.matches()) {
            return decide(decision.group(1), fields(call));
        }
        return switch (route) {
            case "POST /payer/pay" -> pay(fields(call));
            case "POST /payer/refund" -> refund(fields(call));
            case "POST /payer/dispute" -> dispute(fields(call));
            case "GET /payer/disputes" -> Reply.ok(Reply.json("disputes", claims.all()));
            case "POST /bank/release" -> release(fields(call));
            case "POST /bank/remove" -> remove(fields(call));
            case "PUT /faults" -> setFaults(fields(call));
            case "GET /faults" -> Reply.ok(faults());
            case "GET /ledger" -> Reply.ok(ledger(call.query().getOrDefault("after", "")));
            case "GET /calls" -> Reply.ok(api.calls());
            default -> throw Refusal.control(404, "no such route: " + route);
        };
    }

    private static BodyFields fields(ApiCall call) {
        return call.fields((field, reason) -> Refusal.control(400, field + ": " + reason));
    }

    private Reply pay(BodyFields fields) {
        String txid = fields.textOrNull("txid", 35);
        String key = fields.has("key") ? fields.text("key", 77) : settings.pixKey;
        String amount = fields.textOrNull("amount", 13);
        if (fields.has("qr_code")) {
            PaymentCode code = PaymentCode.parse(fields.text("qr_code", 512));
            String location = code.location();
            txid = location == null ? code.txid() : chargeAt(location);
            key = code.key() == null ? settings.pixKey : code.key();
            if (amount == null && location == null) {
                amount = code.amount(); // of a dynamic code the charge's amount counts
            }
        } else if (txid != null) {
            String asked = txid;
            if (!book.read(() -> book.charges.containsKey(asked))) {
                throw Refusal.control(404, "charge_unknown");
            }
        } else if (!fields.has("key")) {
            throw Refusal.control(400, "expected qr_code, txid or key");
        }
        if (!key.equals(settings.pixKey)) {
            throw Refusal.control(404, "key_unknown");
        }
        Long cents = amount == null ? null : Long.valueOf(fields.cents("amount", amount));
        ReceivedPix.Payer payer = new ReceivedPix.Payer(
                fields.textOrNull("name", 200),
                fields.textOrNull("document", 14),
                fields.textOrNull("message", 140),
                at(fields));
        return pay(payer, txid, cents, key, fields.node().path("anyway").asBoolean(false));
    }

    private Reply pay(
            ReceivedPix.Payer payer, @Nullable String txid, @Nullable Long cents, String key, boolean anyway) {
        Faults.Decision fault = faults.next(Faults.Place.PAYMENT, "pay", txid == null ? "" : txid);
        Faults.Kind kind = fault == null ? null : fault.kind();
        Stored.Charge charge = txid == null ? null : book.read(() -> book.charges.get(txid));
        Long paidCents = kind == Faults.Kind.OTHER_AMOUNT && charge != null
                ? Long.valueOf(charge.terms().cents() + 1)
                : cents;
        Stored.Payment payment = received.pay(payer, txid, paidCents, key, anyway || kind == Faults.Kind.OTHER_AMOUNT);
        if (kind == Faults.Kind.SECOND_PAYMENT) {
            received.pay(payer, txid, payment.cents(), key, true);
        } else if (kind == Faults.Kind.UNASKED_REFUND) {
            settlements.later(() -> received.refundByBank(payment.e2eId(), payment.cents(), "MED_FRAUDE"));
        }
        return Reply.ok(Reply.json("e2e_id", payment.e2eId()));
    }

    private String chargeAt(String location) {
        return book.read(() -> {
            Stored.Location found = book.locationsByUrl.get(location);
            if (found == null || found.txid() == null) {
                throw Refusal.control(409, "location_without_charge");
            }
            return found.txid();
        });
    }

    private static Instant at(BodyFields fields) {
        String text = fields.textOrNull("at", 40);
        try {
            return text == null ? Book.now() : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw fields.refuse("at", "expected a time with zone (RFC 3339)");
        }
    }

    private Reply refund(BodyFields fields) {
        Stored.Repayment refund = received.refundByBank(
                fields.text("e2e_id", 32), fields.amountCents("amount"), fields.text("nature", 30));
        return Reply.ok(Reply.json("id", refund.id(), "rtr_id", refund.rtrId()));
    }

    private Reply dispute(BodyFields fields) {
        String amount = fields.textOrNull("amount", 13);
        int deadline = fields.integer("deadline_seconds", -1);
        String reason = fields.textOrNull("reason", 140);
        String situation = fields.textOrNull("situation", 40);
        Stored.Claim claim = claims.open(
                fields.text("e2e_id", 32),
                amount == null ? null : Long.valueOf(fields.cents("amount", amount)),
                reason == null ? "Solicitação de devolução" : reason,
                situation == null ? "golpe" : situation,
                deadline < 0 ? null : Integer.valueOf(deadline));
        return Reply.ok(Reply.json("id", claim.id(), "protocol", claim.protocol()));
    }

    private Reply decide(String id, BodyFields fields) {
        Duration returnAfter = Duration.ofSeconds(fields.integer("return_after_seconds", 0));
        return Reply.ok(Reply.json(
                "status",
                claims.decide(id, fields.text("outcome", 20), returnAfter).status()));
    }

    private Reply release(BodyFields fields) {
        boolean approved = fields.node().path("approved").asBoolean(true);
        if (!sent.release(fields.text("id", 35), approved)) {
            throw Refusal.control(409, "not_waiting");
        }
        return Reply.ok(Reply.json("approved", approved));
    }

    private Reply remove(BodyFields fields) {
        charges.removeByBank(fields.text("txid", 35));
        return Reply.ok(Reply.json("status", Stored.Charge.REMOVED_BY_BANK));
    }

    private Reply setFaults(BodyFields fields) {
        List<Faults.Kind> kinds = new ArrayList<>();
        for (JsonNode name : fields.node().path("kinds")) {
            kinds.add(Faults.Kind.valueOf(name.asString("").toUpperCase(Locale.ROOT)));
        }
        double rate = fields.node().path("rate").asDouble(-1);
        if (rate < 0 || rate > 1) {
            throw fields.refuse("rate", "expected a number from 0 to 1");
        }
        long seed = fields.node().path("seed").asLong(0);
        faults.plan(
                new Stored.FaultPlan(seed, rate, kinds.isEmpty() ? Faults.Kind.unnamed() : kinds, operations(fields)));
        return Reply.ok(plan());
    }

    private @Nullable List<String> operations(BodyFields fields) {
        List<String> operations = fields.node()
                .path("operations")
                .valueStream()
                .map(name -> name.asString(""))
                .toList();
        if (!api.operations().containsAll(operations)) {
            throw fields.refuse("operations", "expected some of " + api.operations());
        }
        return operations.isEmpty() ? null : operations;
    }

    private ObjectNode plan() {
        Stored.FaultPlan plan = book.faultPlan();
        return plan == null
                ? Reply.json("seed", 0, "rate", 0, "kinds", List.of())
                : Reply.json(
                        "seed", plan.seed(),
                        "rate", plan.rate(),
                        "kinds", plan.kinds().stream().map(ControlServer::name).toList());
    }

    private static String name(Faults.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private ObjectNode faults() {
        Map<String, Integer> counts = new TreeMap<>();
        List<ObjectNode> injected = new ArrayList<>();
        for (Stored.Injected fault : book.read(() -> List.copyOf(book.injected))) {
            String kind = name(fault.fault());
            counts.merge(kind, 1, Integer::sum);
            injected.add(Reply.json("kind", kind, "operation", fault.operation(), "id", fault.id(), "at", fault.at()));
        }
        ObjectNode node = plan();
        node.setAll(Reply.json("counts", counts, "injected", injected));
        return node;
    }

    /** @param after {@code next_cursor} of the page before */
    private ObjectNode ledger(String after) {
        int start = after.isEmpty() ? 0 : Integer.parseInt(after);
        return book.read(() -> {
            int end = Math.min(start + PAGE_SIZE, book.ledger.size());
            List<ObjectNode> entries = book.ledger.subList(Math.min(start, end), end).stream()
                    .map(entry -> Reply.json(
                            "direction", entry.direction(),
                            "id", entry.id(),
                            "e2e_id", entry.e2eId(),
                            "amount", BodyFields.amount(entry.cents()),
                            "at", entry.at()))
                    .toList();
            return Reply.json("entries", entries)
                    .put("next_cursor", end < book.ledger.size() ? String.valueOf(end) : null);
        });
    }

    @Override
    public void close() {
        server.stop(0);
        Settlements.end(threads);
    }
}

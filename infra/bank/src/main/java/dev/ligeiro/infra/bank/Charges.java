package dev.ligeiro.infra.bank;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Charges for immediate payment and the locations of their payment data: {@code /cob} and {@code /loc}. */
final class Charges {

    private static final String INVALID = "CobOperacaoInvalida";
    private static final BiFunction<String, String, Refusal> REFUSAL =
            (field, reason) -> Refusal.violation(INVALID, "cob." + field, reason);
    private static final BiFunction<String, String, Refusal> BAD_QUERY =
            (field, reason) -> Refusal.violation("CobConsultaInvalida", field, reason);
    /** A charge lives for a day unless it says otherwise. */
    private static final Stored.Terms NO_TERMS = new Stored.Terms(86_400, 0);

    private static final String RECEIVER = "LIGEIRO";
    private static final String CITY = "SAO PAULO";

    private final Book book;
    private final BankSettings settings;
    private final SecureRandom random = new SecureRandom();

    Charges(Book book, BankSettings settings) {
        this.book = book;
        this.settings = settings;
    }

    /** {@code POST /loc} */
    Reply createLocation(ApiCall call) {
        BiFunction<String, String, Refusal> refusal =
                (field, reason) -> Refusal.violation("PayloadLocationOperacaoInvalida", "loc." + field, reason);
        BodyFields fields = call.fields(refusal);
        if (!fields.text("tipoCob", 4).equals("cob")) {
            throw fields.refuse("tipoCob", "expected cob");
        }
        return book.write(change -> Reply.created(location(change.put(newLocation(null)))));
    }

    /** {@code PUT /cob/{txid}}, which also changes a charge. */
    Reply put(ApiCall call) {
        String txid = call.id(0);
        BodyFields fields = call.fields(REFUSAL);

        if (!txid.matches("[a-zA-Z0-9]{26,35}")) {
            throw fields.refuse("txid", "expected 26 to 35 letters and digits");
        }
        fields.object("calendario");
        fields.text("chave", 77);
        BodyFields.refuseMagic(fields.object("valor").amountCents("original"));
        Stored.Charge saved = book.write(change -> {
            Stored.Charge before = book.charges.get(txid);
            if (before != null) {
                return revise(change, before, fields);
            }
            Stored.Terms terms = terms(NO_TERMS, fields);
            Stored.Location location = fields.has("loc") ? free(fields, txid).withTxid(txid) : newLocation(txid);
            change.put(location);
            return change.put(new Stored.Charge(txid, Book.now(), 0, Stored.Charge.ACTIVE, terms, location.id()));
        });
        return Reply.created(book.read(() -> charge(saved)));
    }

    /** The revision stays when nothing changes. */
    private Stored.Charge revise(Book.Change change, Stored.Charge before, BodyFields fields) {
        Stored.Terms terms = terms(before.terms(), fields);
        if (fields.has("loc") && !Objects.equals(free(fields, before.txid()).id(), before.locationId())) {
            throw fields.refuse("loc", "the charge has another location");
        }
        if (terms.equals(before.terms())) {
            return before;
        }
        if (!before.isActive()) {
            throw fields.refuse("status", "the charge is not ATIVA");
        }
        return change.put(before.nextRevision(before.status(), terms));
    }

    /** {@code PATCH /cob/{txid}}, which removes a charge. */
    Reply patch(ApiCall call) {
        BodyFields fields = call.fields(REFUSAL);
        Stored.Charge removed = book.write(change -> {
            Stored.Charge before = chargeOf(call.id(0));
            if (!fields.text("status", 40).equals(Stored.Charge.REMOVED)) {
                throw fields.refuse("status", "expected " + Stored.Charge.REMOVED);
            }
            if (!before.isActive()) {
                throw fields.refuse("status", "the charge is not ATIVA");
            }
            return change.put(before.nextRevision(Stored.Charge.REMOVED, before.terms()));
        });
        return Reply.ok(book.read(() -> charge(removed)));
    }

    /** {@code GET /cob/{txid}} */
    Reply read(ApiCall call) {
        return book.read(() -> Reply.ok(complete(chargeOf(call.id(0)))));
    }

    /** What the bank does to a charge by itself, for example because of fraud. */
    void removeByBank(String txid) {
        book.write(change -> change.put(chargeOf(txid).withStatus(Stored.Charge.REMOVED_BY_BANK)));
    }

    /** What is not named stays as in {@code before}. */
    private Stored.Terms terms(Stored.Terms before, BodyFields fields) {
        int expiry = before.expirySeconds();
        if (fields.has("calendario")) {
            expiry = fields.object("calendario").integer("expiracao", expiry);
        }
        if (expiry <= 0) {
            throw fields.refuse("calendario.expiracao", "expected a number above zero");
        }
        if (fields.has("chave") && !fields.text("chave", 77).equals(settings.pixKey)) {
            throw fields.refuse("chave", "not a key of this account");
        }
        long cents = fields.has("valor") ? fields.object("valor").amountCents("original") : before.cents();
        return new Stored.Terms(expiry, cents);
    }

    /** A location serves one charge at a time, and is free again when that is done. */
    private Stored.Location free(BodyFields fields, String txid) {
        BodyFields asked = fields.object("loc");
        Stored.Location location = book.locations.get((long) asked.integer("id", -1));
        if (location == null) {
            throw asked.refuse("id", "no such location");
        }
        Stored.Charge user = location.txid() == null ? null : book.charges.get(location.txid());
        if (user != null && user.isActive() && !user.txid().equals(txid)) {
            throw asked.refuse("id", "another charge uses the location");
        }
        return location;
    }

    private Stored.Location newLocation(@Nullable String txid) {
        byte[] token = new byte[16];
        random.nextBytes(token);
        String url = "qr.bank.example/v2/" + HexFormat.of().formatHex(token);
        return new Stored.Location(book.locations.size() + 1L, url, Book.now(), txid);
    }

    private Stored.Charge chargeOf(String txid) {
        Stored.Charge charge = book.charges.get(txid);
        if (charge == null) {
            throw Refusal.problem(404, "CobNaoEncontrado", "Cobrança não encontrada para o txid informado.");
        }
        return charge;
    }

    private static ObjectNode location(Stored.Location location) {
        return Reply.json(
                "id", location.id(),
                "txid", location.txid(),
                "location", location.url(),
                "tipoCob", "cob",
                "criacao", location.createdAt());
    }

    private ObjectNode complete(Stored.Charge charge) {
        List<Stored.Payment> payments = book.paymentsByTxid.getOrDefault(charge.txid(), List.of());
        ObjectNode node = charge(charge);
        if (!payments.isEmpty()) {
            ArrayNode list = node.putArray("pix");
            payments.forEach(payment -> list.add(ReceivedPix.json(book, payment)));
        }
        return node;
    }

    private ObjectNode charge(Stored.Charge charge) {
        Stored.Terms terms = charge.terms();
        Stored.Location location = charge.locationId() == null ? null : book.locations.get(charge.locationId());
        return Reply.json(
                "calendario", Reply.json("criacao", charge.createdAt(), "expiracao", terms.expirySeconds()),
                "txid", charge.txid(),
                "revisao", charge.revision(),
                "status", charge.status(),
                "valor", Reply.json("original", BodyFields.amount(terms.cents())),
                "chave", settings.pixKey,
                "loc", location == null ? null : location(location.withTxid(charge.txid())),
                "location", location == null ? null : location.url(),
                "pixCopiaECola", location == null ? null : PaymentCode.of(location.url(), RECEIVER, CITY));
    }
}

package dev.ligeiro.infra.bank;

import dev.ligeiro.pix.TaxId;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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
    private static final Stored.Terms NO_TERMS = new Stored.Terms(86_400, 0, 0, null, null, null);

    private static final JsonNode NOBODY = Book.JSON.createObjectNode();
    private static final int DETAILS_MAX = 50;
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
        String type = fields.text("tipoCob", 4);
        if (!type.equals("cob") && !type.equals("cobv")) {
            throw fields.refuse("tipoCob", "expected cob or cobv");
        }
        return book.write(change -> Reply.created(location(change.put(newLocation(type, null)), false)));
    }

    /** {@code GET /loc/{id}} */
    Reply readLocation(ApiCall call) {
        return book.read(() -> Reply.ok(location(locationOf(call.id(0)), true)));
    }

    /** {@code DELETE /loc/{id}/txid} */
    Reply detach(ApiCall call) {
        return book.write(change -> {
            Stored.Location location = locationOf(call.id(0));
            Stored.Charge charge = location.txid() == null ? null : book.charges.get(location.txid());
            if (charge != null && charge.locationId() != null && charge.locationId() == location.id()) {
                change.put(charge.withLocation(null));
            }
            return Reply.ok(location(change.put(location.withTxid(null)), false));
        });
    }

    /** {@code POST /cob}, with a txid of the bank. */
    Reply create(ApiCall call) {
        String txid = UUID.randomUUID().toString().replace("-", "");
        return put(txid, call.fields(REFUSAL));
    }

    /** {@code PUT /cob/{txid}}, which also changes a charge. */
    Reply put(ApiCall call) {
        return put(call.id(0), call.fields(REFUSAL));
    }

    private Reply put(String txid, BodyFields fields) {
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
            Stored.Location location = fields.has("loc") ? free(fields, txid).withTxid(txid) : newLocation("cob", txid);
            change.put(location);
            return change.put(new Stored.Charge(txid, Book.now(), 0, Stored.Charge.ACTIVE, terms, location.id()));
        });
        return Reply.created(book.read(() -> charge(saved)));
    }

    /** {@code PATCH /cob/{txid}} */
    Reply patch(ApiCall call) {
        BodyFields fields = call.fields(REFUSAL);
        Stored.Charge saved = book.write(change -> {
            Stored.Charge before = chargeOf(call.id(0));
            return fields.has("status") ? remove(change, before, fields) : revise(change, before, fields);
        });
        return Reply.ok(book.read(() -> charge(saved)));
    }

    private Stored.Charge remove(Book.Change change, Stored.Charge before, BodyFields fields) {
        if (!fields.text("status", 40).equals(Stored.Charge.REMOVED)) {
            throw fields.refuse("status", "expected " + Stored.Charge.REMOVED);
        }
        if (fields.node().size() > 1) {
            throw fields.refuse("status", "a removal goes without other changes");
        }
        if (!before.isActive()) {
            throw fields.refuse("status", "the charge is not ATIVA");
        }
        return change.put(before.nextRevision(Stored.Charge.REMOVED, before.terms()));
    }

    /** The revision stays when nothing changes. */
    private Stored.Charge revise(Book.Change change, Stored.Charge before, BodyFields fields) {
        Stored.Terms terms = terms(before.terms(), fields);
        Stored.Location location = fields.has("loc") ? free(fields, before.txid()) : null;
        boolean moves = location != null && !Objects.equals(location.id(), before.locationId());
        if (!moves && terms.equals(before.terms())) {
            return before;
        }
        if (!before.isActive()) {
            throw fields.refuse("status", "the charge is not ATIVA");
        }
        Stored.Charge after = before.nextRevision(before.status(), terms);
        if (location == null || !moves) {
            return change.put(after);
        }
        Stored.Location left = book.locations.get(before.locationId());
        if (left != null) {
            change.put(left.withTxid(null));
        }
        change.put(location.withTxid(before.txid()));
        return change.put(after.withLocation(location.id()));
    }

    /** {@code GET /cob/{txid}} */
    Reply read(ApiCall call) {
        int revision = call.number("revisao", 0, Integer.MAX_VALUE, -1, BAD_QUERY);
        return book.read(() -> {
            Stored.Charge charge = chargeOf(call.id(0));
            if (revision >= 0 && revision != charge.revision()) {
                charge = book.earlierCharges.get(charge.txid() + " " + revision);
            }
            if (charge == null) {
                throw BAD_QUERY.apply("revisao", "no such revision");
            }
            return Reply.ok(complete(charge));
        });
    }

    /** {@code GET /cob} */
    Reply list(ApiCall call) {
        ApiCall.Span span = call.span(BAD_QUERY);
        return book.read(() -> {
            List<Stored.Charge> found = book.charges.values().stream()
                    .filter(charge -> span.contains(charge.createdAt()) && fits(call, charge))
                    .toList();
            return span.reply("cobs", found, this::complete);
        });
    }

    private static boolean fits(ApiCall call, Stored.Charge charge) {
        JsonNode debtor = Objects.requireNonNullElse(charge.terms().debtor(), NOBODY);
        return call.fits("status", charge.status())
                && call.fits("locationPresente", charge.locationId() != null)
                && call.fits("cpf", debtor.path("cpf").asString(""))
                && call.fits("cnpj", debtor.path("cnpj").asString(""));
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
        long cents = before.cents();
        int changeMode = before.changeMode();
        if (fields.has("valor")) {
            cents = fields.object("valor").amountCents("original");
            changeMode = fields.object("valor").integer("modalidadeAlteracao", changeMode);
        }
        if (fields.has("chave") && !fields.text("chave", 77).equals(settings.pixKey)) {
            throw fields.refuse("chave", "not a key of this account");
        }
        return new Stored.Terms(
                expiry,
                cents,
                changeMode,
                fields.has("devedor") ? debtor(fields.object("devedor")) : before.debtor(),
                fields.has("solicitacaoPagador") ? fields.text("solicitacaoPagador", 140) : before.request(),
                fields.has("infoAdicionais") ? details(fields) : before.details());
    }

    private static JsonNode debtor(BodyFields debtor) {
        debtor.text("nome", 200);
        if (debtor.has("cpf") == debtor.has("cnpj")) {
            throw debtor.refuse("cpf", "expected either cpf or cnpj");
        }
        String name = debtor.has("cpf") ? "cpf" : "cnpj";
        try {
            TaxId taxId = new TaxId(debtor.text(name, 14));
            if (taxId.kind() == (name.equals("cpf") ? TaxId.Kind.CPF : TaxId.Kind.CNPJ)) {
                return debtor.node();
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw debtor.refuse(name, "not a valid document");
    }

    private static JsonNode details(BodyFields fields) {
        JsonNode details = fields.node().path("infoAdicionais");
        if (!details.isArray() || details.size() > DETAILS_MAX) {
            throw fields.refuse("infoAdicionais", "expected a list of at most " + DETAILS_MAX);
        }
        for (JsonNode detail : details) {
            BodyFields pair = new BodyFields(detail, "infoAdicionais", REFUSAL);
            pair.text("nome", 50);
            pair.text("valor", 200);
        }
        return details;
    }

    /** A location serves one charge at a time, and is free again when that is done. */
    private Stored.Location free(BodyFields fields, String txid) {
        BodyFields asked = fields.object("loc");
        Stored.Location location = book.locations.get((long) asked.integer("id", -1));
        if (location == null) {
            throw asked.refuse("id", "no such location");
        }
        if (!location.type().equals("cob")) {
            throw asked.refuse("id", "the location is for charges of type cobv");
        }
        Stored.Charge user = location.txid() == null ? null : book.charges.get(location.txid());
        if (user != null && user.isActive() && !user.txid().equals(txid)) {
            throw asked.refuse("id", "another charge uses the location");
        }
        return location;
    }

    private Stored.Location newLocation(String type, @Nullable String txid) {
        byte[] token = new byte[16];
        random.nextBytes(token);
        String url = "qr.bank.example/v2/" + (type.equals("cobv") ? "cobv/" : "")
                + HexFormat.of().formatHex(token);
        return new Stored.Location(book.locations.size() + 1L, url, type, Book.now(), txid);
    }

    private Stored.Location locationOf(String id) {
        Stored.Location location = id.matches("\\d{1,18}") ? book.locations.get(Long.valueOf(id)) : null;
        if (location == null) {
            throw Refusal.problem(404, "PayloadLocationNaoEncontrado", "Location não encontrada para o id informado.");
        }
        return location;
    }

    private Stored.Charge chargeOf(String txid) {
        Stored.Charge charge = book.charges.get(txid);
        if (charge == null) {
            throw Refusal.problem(404, "CobNaoEncontrado", "Cobrança não encontrada para o txid informado.");
        }
        return charge;
    }

    private static ObjectNode location(Stored.Location location, boolean withTxid) {
        return Reply.json(
                "id", location.id(),
                "txid", withTxid ? location.txid() : null,
                "location", location.url(),
                "tipoCob", location.type(),
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
                "valor",
                        Reply.json(
                                "original",
                                BodyFields.amount(terms.cents()),
                                "modalidadeAlteracao",
                                terms.changeMode() == 0 ? null : terms.changeMode()),
                "chave", settings.pixKey,
                "devedor", terms.debtor(),
                "solicitacaoPagador", terms.request(),
                "infoAdicionais", terms.details(),
                "loc", location == null ? null : location(location.withTxid(charge.txid()), true),
                "location", location == null ? null : location.url(),
                "pixCopiaECola", location == null ? null : PaymentCode.of(location.url(), RECEIVER, CITY));
    }
}

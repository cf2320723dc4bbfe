package dev.ligeiro.desk.stored;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.audit.AuditBodies;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.money.Reason;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.MaskedText;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.ErasureFields.State;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.aggregation.Aggregation;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Erasures of a person (LGPD art. 18): the personal data of all transactions with a tax id, of all merchants and in both modes. One operator
 * proposes it, another one confirms it, and a processor does it. The audit never has the tax id, and an erasure only until its transactions are
 * found. A unique index permits one such erasure of a person at a time.
 */
@RestController
@RequestMapping("/admin/erasures")
@Tag(name = "erasures")
public class ErasureController {

    private static final int TAX_ID_MAX = 20;

    private final MongoTemplate mongo;
    private final AuditBodies audit;
    private final int operators;
    private final Clock clock;

    ErasureController(
            MongoTemplate mongo,
            AuditBodies audit,
            @Value("${ligeiro.resolutions.operators}") int operators,
            Clock clock) {
        this.mongo = mongo;
        this.audit = audit;
        this.operators = operators;
        this.clock = clock;
    }

    /** The tax id is only read: the audit writes bodies. */
    record Proposal(
            @NotBlank @Size(max = TAX_ID_MAX) @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String taxId,
            @NotBlank @Size(max = 255) String reason) {

        @Override
        public String toString() {
            return "Proposal[…]";
        }
    }

    /** @param taxId must equal the proposed one, so that the second operator knows the person too */
    record Confirmation(
            @NotBlank @Size(max = TAX_ID_MAX) @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String taxId) {

        @Override
        public String toString() {
            return "Confirmation[…]";
        }
    }

    /**
     * An erasure as it is stored and shown; {@link ErasureFields} has the fields that processors read.
     *
     * @param open the tax id, until the transactions are found
     * @param found the number of transactions with it; null until they are found
     */
    @Document(CollectionNames.ERASURES)
    public record Erasure(
            @Id UUID id,
            @JsonIgnore @Nullable String open,
            String state,
            String reason,
            String proposedBy,
            Instant proposedAt,
            @Nullable String decidedBy,
            @Nullable Instant decidedAt,
            @Nullable Long found,
            @Nullable Instant endedAt) {

        /** With its end only; null when it is not needed any more. */
        @JsonProperty
        public @Nullable String taxId() {
            return open == null ? null : MaskedText.document(open);
        }

        @Override
        public String toString() {
            return "Erasure[id=" + id + ", state=" + state + "]";
        }
    }

    /**
     * Transactions that may not be erased yet; each is when it is free.
     *
     * @param reason null before the first look
     * @param until the latest end of the reason; null while it is unknown
     */
    public record Held(@Id @Nullable String reason, long count, @Nullable Instant until) {}

    /** @param erased null until the transactions are found */
    public record WithHeld(@JsonUnwrapped Erasure erasure, @Nullable Long erased, List<Held> held) {}

    @PostMapping
    @Needs(Role.MONEY)
    @Operation(summary = "propose to remove a person's data from all transactions")
    ResponseEntity<WithHeld> propose(@RequestBody Proposal body, Operator operator) {
        TaxId person = taxId(body.taxId);
        Instant now = clock.instant();
        boolean isConfirmed = operators == 1;
        if (isConfirmed) {
            audit.remove(person);
        }
        Erasure proposed = new Erasure(
                UuidV7.at(now.toEpochMilli()),
                person.value(),
                (isConfirmed ? State.CONFIRMED : State.PROPOSED).code(),
                body.reason,
                operator.name(),
                now,
                isConfirmed ? operator.name() : null,
                isConfirmed ? now : null,
                null,
                null);
        try {
            mongo.insert(proposed);
        } catch (DuplicateKeyException open) {
            throw Problem.of(
                    ProblemCode.RESOLUTION_OPEN,
                    "Another erasure of this person is open; confirm or withdraw it, or wait until it has found all");
        }
        return ResponseEntity.created(URI.create("/admin/erasures/" + proposed.id()))
                .body(withHeld(proposed));
    }

    private static TaxId taxId(String text) {
        try {
            return TaxId.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid("tax_id", "expected a CPF or CNPJ");
        }
    }

    /** It cannot be undone. */
    @PostMapping("/{erasureId}/confirm")
    @Needs(Role.MONEY)
    @Dangerous
    @Operation(summary = "confirm another operator's erasure; it begins within seconds")
    WithHeld confirm(@PathVariable UUID erasureId, @RequestBody Confirmation body, Operator operator) {
        Erasure proposed = stored(erasureId);
        if (!proposed.state.equals(State.PROPOSED.code())) {
            throw doesNotWait(proposed);
        }
        if (operators > 1 && proposed.proposedBy.equals(operator.name())) {
            throw Problem.of(
                    ProblemCode.SECOND_OPERATOR_NEEDED,
                    "You have proposed it yourself; another operator with the role money must confirm it");
        }
        TaxId person = taxId(body.taxId);
        if (!person.value().equals(proposed.open)) {
            throw Problem.invalid("tax_id", "expected the tax id that was proposed");
        }
        audit.remove(person);
        return decide(erasureId, new Update().set(ErasureFields.STATE, State.CONFIRMED.code()), operator);
    }

    @PostMapping("/{erasureId}/withdraw")
    @Needs(Role.MONEY)
    @Operation(summary = "withdraw an erasure before it is confirmed")
    WithHeld withdraw(@PathVariable UUID erasureId, @RequestBody Reason body, Operator operator) {
        return decide(
                erasureId,
                new Update()
                        .set(ErasureFields.STATE, State.WITHDRAWN.code())
                        .set(ErasureFields.ENDED_AT, clock.instant())
                        .unset(ErasureFields.OPEN),
                operator);
    }

    private WithHeld decide(UUID id, Update update, Operator operator) {
        Erasure decided = mongo.findAndModify(
                query(where(ErasureFields.ID).is(id).and(ErasureFields.STATE).is(State.PROPOSED.code())),
                update.set("decidedBy", operator.name()).set("decidedAt", clock.instant()),
                FindAndModifyOptions.options().returnNew(true),
                Erasure.class);
        if (decided == null) {
            throw doesNotWait(stored(id));
        }
        return withHeld(decided);
    }

    private static Problem doesNotWait(Erasure erasure) {
        return Problem.of(
                ProblemCode.NOT_RESOLVABLE, "The erasure does not wait for an operator: it is " + erasure.state);
    }

    private Erasure stored(UUID id) {
        Erasure found = mongo.findById(id, Erasure.class);
        if (found == null) {
            throw Problem.notFound("There is no such erasure");
        }
        return found;
    }

    @GetMapping("/{erasureId}")
    @Needs(Role.READ)
    @Operation(summary = "one erasure, with what it may not erase yet")
    WithHeld show(@PathVariable UUID erasureId) {
        return withHeld(stored(erasureId));
    }

    private WithHeld withHeld(Erasure erasure) {
        List<Held> held = mongo
                .aggregate(
                        Aggregation.newAggregation(
                                Aggregation.match(
                                        where(RedactionFields.ERASURES).is(erasure.id)),
                                Aggregation.group(RedactionFields.REASON)
                                        .count()
                                        .as("count")
                                        .max(RedactionFields.UNTIL)
                                        .as("until")),
                        CollectionNames.REDACTIONS,
                        Held.class)
                .getMappedResults()
                .stream()
                .sorted(Comparator.comparing(one -> String.valueOf(one.reason)))
                .toList();
        long left = held.stream().mapToLong(Held::count).sum();
        return new WithHeld(erasure, erasure.found == null ? null : Math.max(0, erasure.found - left), held);
    }

    public record Erasures(List<WithHeld> erasures, @Nullable String nextCursor) {}

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "erasures of persons, the newest first")
    Erasures list(@RequestParam @Nullable State state, @RequestParam @Nullable UUID after) {
        Criteria which =
                state == null ? new Criteria() : where(ErasureFields.STATE).is(state.code());
        Slice<Erasure> page = Slice.of(mongo.find(Slice.newestFirst(which, after), Erasure.class), Erasure::id);
        return new Erasures(page.items().stream().map(this::withHeld).toList(), page.next());
    }
}

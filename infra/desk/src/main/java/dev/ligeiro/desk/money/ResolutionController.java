package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/**
 * The operators' decisions about unknown outcomes and unmatched payments. A processor carries out a confirmed one within seconds. A unique
 * index permits one open decision about the same thing.
 */
@RestController
@Tag(name = "resolutions")
public class ResolutionController {

    private final MongoTemplate mongo;
    private final OpenDecisions decisions;
    private final MerchantStore merchants;
    private final Settings settings;
    private final Clock clock;

    ResolutionController(
            MongoTemplate mongo, OpenDecisions decisions, MerchantStore merchants, Settings settings, Clock clock) {
        this.mongo = mongo;
        this.decisions = decisions;
        this.merchants = merchants;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * An operators' decision as it is stored and shown; {@link ResolutionFields} has the fields that processors read.
     *
     * @param open what it is about, until it has ended; then null
     * @param tenant in whose books the money is
     * @param decidedBy who has confirmed or withdrawn it; null before
     */
    @Document(CollectionNames.RESOLUTIONS)
    public record Resolution(
            @Id UUID id,
            @JsonIgnore @Nullable String open,
            String state,
            String decision,
            @JsonIgnore long tenant,
            @Field(ResolutionFields.TRANSACTION_ID) @Nullable UUID transaction,
            @Nullable UUID refund,
            @Nullable String unmatchedPayment,
            @Field(ResolutionFields.END_TO_END_ID) @Nullable String e2eId,
            @Nullable Instant paidAt,
            String reason,
            @Field("operator") String proposedBy,
            Instant proposedAt,
            @Nullable String decidedBy,
            @Nullable String decidedReason,
            @Nullable Instant decidedAt,
            @Nullable Instant endedAt) {

        Proposal proposal() {
            return new Proposal(
                    Codes.get(ResolutionDecision.class, decision),
                    transaction,
                    refund,
                    unmatchedPayment,
                    e2eId,
                    paidAt,
                    null,
                    reason);
        }
    }

    /** {@code application.yml} explains them. */
    @ConfigurationProperties("ligeiro.resolutions")
    @Validated
    record Settings(@Min(1) @Max(2) int operators, @DurationMin Duration unknownFor) {}

    @PostMapping("/admin/resolutions")
    @Needs(Role.MONEY)
    @Operation(summary = "propose a decision about money of which no rail will tell")
    ResponseEntity<Resolution> propose(@RequestBody Proposal body, Operator operator) {
        List<FieldError> misfits = body.misfits();
        if (!misfits.isEmpty()) {
            throw Problem.invalid(misfits);
        }
        Instant now = clock.instant();
        Tenant tenant = decisions.check(body);
        Audited.concerns(merchants.name(tenant).merchantId());
        boolean isConfirmed = settings.operators == 1;
        Resolution proposed = new Resolution(
                UuidV7.at(now.toEpochMilli()),
                body.subject(),
                (isConfirmed ? ResolutionState.CONFIRMED : ResolutionState.PROPOSED).code(),
                body.decision().code(),
                tenant.key(),
                body.transaction(),
                body.refund(),
                body.unmatchedPayment(),
                body.e2eId(),
                body.paidAt(),
                body.reason(),
                operator.name(),
                now,
                isConfirmed ? operator.name() : null,
                null,
                isConfirmed ? now : null,
                null);
        try {
            return ResponseEntity.created(URI.create("/admin/resolutions/" + proposed.id()))
                    .body(mongo.insert(proposed));
        } catch (DuplicateKeyException open) {
            throw Problem.of(
                    ProblemCode.RESOLUTION_OPEN,
                    "Another decision about " + body.subject() + " is open; confirm or withdraw it");
        }
    }

    public record Confirmation(@Size(max = Reason.LENGTH_MAX) @Nullable String reason) {}

    @PostMapping("/admin/resolutions/{resolutionId}/confirm")
    @Needs(Role.MONEY)
    @Dangerous
    @Operation(summary = "confirm another operator's decision; it is carried out within seconds")
    Resolution confirm(@PathVariable UUID resolutionId, @RequestBody Confirmation body, Operator operator) {
        Resolution proposed = proposed(resolutionId);
        if (settings.operators > 1 && proposed.proposedBy().equals(operator.name())) {
            throw Problem.of(
                    ProblemCode.SECOND_OPERATOR_NEEDED,
                    "You have proposed it yourself; another operator with the role money must confirm it");
        }
        try {
            decisions.check(proposed.proposal());
        } catch (Problem changed) {
            if (changed.code() == ProblemCode.NOT_RESOLVABLE) {
                move(resolutionId, ResolutionState.OUTDATED, new Update());
            }
            throw changed;
        }
        return decide(resolutionId, ResolutionState.CONFIRMED, operator, body.reason());
    }

    @PostMapping("/admin/resolutions/{resolutionId}/withdraw")
    @Needs(Role.MONEY)
    @Operation(summary = "withdraw a decision before it is confirmed")
    Resolution withdraw(@PathVariable UUID resolutionId, @RequestBody Reason body, Operator operator) {
        proposed(resolutionId);
        return decide(resolutionId, ResolutionState.WITHDRAWN, operator, body.reason());
    }

    private Resolution proposed(UUID id) {
        Resolution found = show(id);
        Audited.concerns(merchants.name(new Tenant(found.tenant())).merchantId());
        if (!found.state().equals(ResolutionState.PROPOSED.code())) {
            throw notProposed("it is " + found.state());
        }
        return found;
    }

    private Resolution decide(UUID id, ResolutionState to, Operator operator, @Nullable String reason) {
        Update update =
                new Update().set(ResolutionFields.DECIDED_BY, operator.name()).set("decidedAt", clock.instant());
        Resolution decided = move(id, to, reason == null ? update : update.set("decidedReason", reason));
        if (decided == null) {
            throw notProposed("another operator was first");
        }
        return decided;
    }

    /** Null if it is not proposed any more. */
    private @Nullable Resolution move(UUID id, ResolutionState to, Update update) {
        update.set(ResolutionFields.STATE, to.code());
        if (to != ResolutionState.CONFIRMED) {
            update.unset(ResolutionFields.OPEN).set(ResolutionFields.ENDED_AT, clock.instant());
        }
        return mongo.findAndModify(
                query(where(ResolutionFields.ID)
                        .is(id)
                        .and(ResolutionFields.STATE)
                        .is(ResolutionState.PROPOSED.code())),
                update,
                FindAndModifyOptions.options().returnNew(true),
                Resolution.class);
    }

    private static Problem notProposed(String why) {
        return Problem.of(ProblemCode.NOT_RESOLVABLE, "The decision does not wait for an operator: " + why);
    }

    @GetMapping("/admin/resolutions/{resolutionId}")
    @Needs(Role.READ)
    @Operation(summary = "one decision")
    public Resolution show(@PathVariable UUID resolutionId) {
        Resolution found = mongo.findById(resolutionId, Resolution.class);
        if (found == null) {
            throw Problem.notFound("There is no such resolution");
        }
        return found;
    }

    public record Resolutions(List<Resolution> resolutions, @Nullable String nextCursor) {}

    @GetMapping("/admin/resolutions")
    @Needs(Role.READ)
    @Operation(summary = "decisions of operators, the newest first")
    public Resolutions list(@RequestParam @Nullable ResolutionState state, @RequestParam @Nullable UUID after) {
        Criteria which =
                state == null ? new Criteria() : where(ResolutionFields.STATE).is(state.code());
        Slice<Resolution> page =
                Slice.of(mongo.find(Slice.newestFirst(which, after), Resolution.class), Resolution::id);
        return new Resolutions(page.items(), page.next());
    }

    @GetMapping("/console/resolutions")
    @Needs(Role.READ)
    ModelAndView page(@RequestParam @Nullable ResolutionState state, @RequestParam @Nullable UUID after) {
        return new ModelAndView("money/resolutions", "page", list(state, after))
                .addObject("state", state == null ? "" : state.code());
    }
}

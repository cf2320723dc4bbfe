package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** Lists the movements in which the books and a rail's list differ, and closes one whose cause is found. It moves no money. */
@RestController
@Tag(name = "breaks")
public class BreakController {

    private final MongoTemplate mongo;
    private final MerchantStore merchants;
    private final Clock clock;

    BreakController(MongoTemplate mongo, MerchantStore merchants, Clock clock) {
        this.mongo = mongo;
        this.merchants = merchants;
        this.clock = clock;
    }

    public enum State implements Coded {
        OPEN,
        CLOSED
    }

    /** A stored break; {@link BreakFields} explains the fields. */
    @Document(CollectionNames.BREAKS)
    public record Break(
            @Id UUID id,
            String rail,
            String day,
            String kind,
            String railId,
            @JsonIgnore @Nullable Long ours,
            @JsonIgnore @Nullable Long theirs,
            @Nullable UUID transactionId,
            @JsonIgnore @Nullable Long tenant,
            Instant since,
            @Nullable Instant closedAt,
            @Nullable String closedBy,
            @Nullable String reason) {

        @JsonProperty
        public @Nullable String ourAmount() {
            return ours == null ? null : Amount.decimal(ours);
        }

        @JsonProperty
        public @Nullable String theirAmount() {
            return theirs == null ? null : Amount.decimal(theirs);
        }

        @JsonProperty
        public @Nullable Mode mode() {
            return tenant == null ? null : new Tenant(tenant).mode();
        }
    }

    public record NamedBreak(@JsonUnwrapped Break found, long ageSeconds, @JsonUnwrapped NamedMerchant merchant) {}

    public record Breaks(List<NamedBreak> breaks, @Nullable String nextCursor) {}

    @GetMapping("/admin/breaks")
    @Needs(Role.READ)
    @Operation(summary = "movements in which the books and a rail's list differ, the oldest first")
    public Breaks list(
            @RequestParam @Nullable String rail,
            @RequestParam @Nullable BreakKind kind,
            @RequestParam @Nullable State state,
            @RequestParam @Nullable String after) {
        Criteria which = where(state == State.CLOSED ? BreakFields.CLOSED_AT : BreakFields.OPEN)
                .exists(true);
        if (rail != null) {
            which.and(BreakFields.RAIL).is(rail);
        }
        if (kind != null) {
            which.and(BreakFields.KIND).is(kind.code());
        }
        Slice<Break> page = Slice.of(
                mongo.find(
                        Slice.oldestFirst(which, BreakFields.SINCE, PageCursor.parse(after), PageCursor::uuid),
                        Break.class),
                last -> new PageCursor(last.since(), last.id().toString()));
        return new Breaks(named(page.items()), page.next());
    }

    @PostMapping("/admin/breaks/{breakId}/close")
    @Needs(Role.MONEY)
    @Operation(summary = "close a break whose cause is found; this moves no money")
    NamedBreak close(@PathVariable UUID breakId, @RequestBody Reason body, Operator operator) {
        Break closed = mongo.findAndModify(
                query(where(BreakFields.ID).is(breakId).and(BreakFields.OPEN).exists(true)),
                new Update()
                        .set(BreakFields.CLOSED_AT, clock.instant())
                        .set(BreakFields.CLOSED_BY, operator.name())
                        .set(BreakFields.REASON, body.reason())
                        .unset(BreakFields.OPEN),
                FindAndModifyOptions.options().returnNew(true),
                Break.class);
        if (closed == null) {
            throw Problem.notFound("There is no such open break");
        }
        return named(List.of(closed)).get(0);
    }

    @GetMapping("/console/breaks")
    @Needs(Role.READ)
    ModelAndView page(@RequestParam(defaultValue = "open") State state, @RequestParam @Nullable String after) {
        return new ModelAndView("money/breaks", "page", list(null, null, state, after)).addObject("state", state);
    }

    private List<NamedBreak> named(List<Break> breaks) {
        Instant now = clock.instant();
        Function<@Nullable Tenant, NamedMerchant> named = merchants.namesOfTenants(breaks, BreakController::tenant);
        return breaks.stream()
                .map(one -> new NamedBreak(
                        one,
                        Duration.between(one.since(), one.closedAt() == null ? now : one.closedAt())
                                .toSeconds(),
                        named.apply(tenant(one))))
                .toList();
    }

    private static @Nullable Tenant tenant(Break one) {
        return one.tenant() == null ? null : new Tenant(one.tenant());
    }
}

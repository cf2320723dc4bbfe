package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.http.Bodies.GivenText;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.merchant.GuardController;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * Stops new live transactions of a rail, cashouts of a merchant, a rail, or all, and all that a merchant pays out. The live cashouts of a new
 * merchant begin stopped. What is submitted goes on. A change takes effect everywhere within 5 seconds.
 */
@RestController
@Tag(name = "stops")
public class StopController {

    private static final int RAIL_MAX = 100;
    private static final int STOPS_MAX = 10_000;

    private final MongoTemplate mongo;
    private final GuardController guards;
    private final MerchantStore merchants;
    private final Rails rails;
    private final Clock clock;

    StopController(MongoTemplate mongo, GuardController guards, MerchantStore merchants, Rails rails, Clock clock) {
        this.mongo = mongo;
        this.guards = guards;
        this.merchants = merchants;
        this.rails = rails;
        this.clock = clock;
    }

    /** @param operation both without it */
    public record RouteChange(
            @NotNull Boolean stopped,
            @NotBlank @Size(max = RAIL_MAX) String rail,
            @Nullable Operation operation,
            @NotBlank @Size(max = Reason.LENGTH_MAX) String reason) {}

    /** Stopping needs the role operate, and so does resuming cashins; resuming cashouts needs money. */
    @PutMapping("/admin/route-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(summary = "stop new live transactions of a rail, or let them go on")
    RouteStops routes(@RequestBody RouteChange body, Operator operator) {
        if (body.stopped && !rails.live().contains(body.rail)) {
            throw unknown("rail", "expected a rail of ligeiro.rails.routes");
        }
        operator.require(body.stopped || body.operation == Operation.CASHIN ? Role.OPERATE : Role.MONEY);
        for (Operation operation : body.operation == null ? Operation.values() : new Operation[] {body.operation}) {
            if (body.stopped) {
                stop(Stop.ofRoute(body.rail, operation, body.reason, operator.name(), clock.instant()));
            } else {
                resume(Stop.routeId(body.rail, operation));
            }
        }
        return listRoutes();
    }

    public record RouteStop(
            @Nullable String rail, @Nullable Operation operation, String reason, String operator, Instant at) {}

    public record RouteStops(List<RouteStop> stops) {}

    @GetMapping("/admin/route-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(summary = "the rails whose new live transactions are stopped")
    public RouteStops listRoutes() {
        return new RouteStops(all().stream()
                .filter(Stop::isRoute)
                .map(stop -> new RouteStop(stop.rail(), stop.operation(), stop.reason(), stop.operator(), stop.at()))
                .toList());
    }

    /** @param rail those of all rails without it; so for the merchant */
    public record CashoutsChange(
            @NotNull Boolean stopped,
            @JsonDeserialize(using = GivenText.class) @Size(max = RAIL_MAX) @Nullable String rail,
            @Nullable UUID merchant,
            @NotBlank @Size(max = Reason.LENGTH_MAX) String reason) {}

    /** Stopping needs the role operate, resuming money. */
    @PutMapping("/admin/cashouts-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(summary = "stop cashouts of a merchant, a rail, or all, or let them go on")
    CashoutStops cashouts(@RequestBody CashoutsChange body, Operator operator) {
        if (body.stopped && body.rail != null && !rails.all().contains(body.rail)) {
            throw unknown("rail", "expected simulator or a rail of ligeiro.rails.routes");
        }
        operator.require(body.stopped ? Role.OPERATE : Role.MONEY);
        Merchant merchant =
                body.merchant == null ? null : merchants.find(body.merchant).orElse(null);
        Audited.concerns(body.merchant);
        if (body.stopped) {
            if (body.merchant != null && merchant == null) {
                throw unknown("merchant", "expected the id of a merchant");
            }
            stop(Stop.ofCashouts(body.rail, merchant, body.reason, operator.name(), clock.instant()));
        } else {
            resume(Stop.cashoutsId(body.rail, body.merchant));
            if (body.rail == null && merchant != null) {
                guards.open(Tenant.of(merchant.number(), Mode.LIVE));
            }
        }
        return listCashouts();
    }

    /**
     * @param rail null for all; so is {@code merchant}
     * @param mode null for both
     */
    public record CashoutStop(
            @Nullable String rail,
            @Nullable UUID merchant,
            @Nullable Mode mode,
            String reason,
            String operator,
            Instant at,
            @JsonUnwrapped @Nullable NamedMerchant named) {

        static CashoutStop of(Stop stop, @Nullable NamedMerchant named) {
            return new CashoutStop(
                    stop.rail(), stop.merchantId(), null, stop.reason(), stop.operator(), stop.at(), named);
        }

        static CashoutStop ofNew(Merchant merchant) {
            return new CashoutStop(
                    null,
                    merchant.id(),
                    Mode.LIVE,
                    "a new merchant, not opened yet",
                    "-",
                    merchant.createdAt(),
                    NamedMerchant.of(merchant));
        }
    }

    public record CashoutStops(List<CashoutStop> stops, List<CashoutStop> frozen) {}

    @GetMapping("/admin/cashouts-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(
            summary = "stopped cashouts, merchants that are not opened yet, and frozen merchants")
    public CashoutStops listCashouts() {
        List<Stop> all = all();
        List<Long> numbers =
                guards.notOpened().stream().map(Tenant::merchantNumber).toList();
        Stream<CashoutStop> notOpened = merchants.byNumber(numbers).values().stream()
                .sorted(Comparator.comparing(Merchant::number).reversed())
                .map(CashoutStop::ofNew);
        return new CashoutStops(
                Stream.concat(named(all, Stop::isOfCashouts), notOpened).toList(),
                named(all, Stop::isFrozen).toList());
    }

    private Stream<CashoutStop> named(List<Stop> stops, Predicate<Stop> which) {
        List<Stop> selected = stops.stream().filter(which).toList();
        Function<@Nullable UUID, NamedMerchant> named = merchants.namesOfIds(selected, Stop::merchantId);
        return selected.stream().map(stop -> CashoutStop.of(stop, named.apply(stop.merchantId())));
    }

    /** @param since null if it is not frozen */
    record Frozen(boolean frozen, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable CashoutStop since) {}

    @PostMapping("/admin/merchants/{merchantId}/freeze")
    @Tag(name = "merchants")
    @Needs(Role.OPERATE)
    @Dangerous
    @io.swagger.v3.oas.annotations.Operation(
            summary = "deny a merchant's cashouts, and refuse its refunds and approvals")
    Frozen freeze(@PathVariable UUID merchantId, @RequestBody Reason body, Operator operator) {
        Stop frozen = Stop.frozen(merchants.get(merchantId), body.reason(), operator.name(), clock.instant());
        stop(frozen);
        return new Frozen(true, CashoutStop.of(frozen, null));
    }

    @PostMapping("/admin/merchants/{merchantId}/unfreeze")
    @Tag(name = "merchants")
    @Needs(Role.MONEY)
    @io.swagger.v3.oas.annotations.Operation(summary = "let a frozen merchant pay out again")
    Frozen unfreeze(@PathVariable UUID merchantId, @RequestBody Reason body) {
        resume(Stop.frozenId(merchants.get(merchantId).id()));
        return new Frozen(false, null);
    }

    /** Those of the merchant itself: its freeze, and the stops of its cashouts. */
    public List<Stop> ofMerchant(long merchantNumber) {
        return mongo.find(
                query(where(Stop.MERCHANT_NUMBER).is(merchantNumber)).limit(STOPS_MAX),
                Stop.class,
                CollectionNames.STOPS);
    }

    private List<Stop> all() {
        return mongo.find(new Query().limit(STOPS_MAX), Stop.class, CollectionNames.STOPS);
    }

    /** Replaces an earlier stop of the same. */
    private void stop(Stop stop) {
        mongo.save(stop, CollectionNames.STOPS);
    }

    private void resume(String id) {
        mongo.remove(query(where(Stop.ID).is(id)), CollectionNames.STOPS);
    }

    private static Problem unknown(String field, String expected) {
        return Problem.invalid(List.of(new FieldError(field, "unknown", expected)));
    }
}

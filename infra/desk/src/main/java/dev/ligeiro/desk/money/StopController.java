package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.Bodies.GivenText;
import dev.ligeiro.desk.http.FieldError;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.GuardStore;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.merchant.StopStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Stop;
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
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * Stops new live transactions of a rail, and cashouts of a merchant, a rail, or all. The live cashouts of a new merchant begin stopped. What is
 * submitted goes on. A change takes effect everywhere within 5 seconds.
 */
@RestController
@Tag(name = "stops")
public class StopController {

    private static final int RAIL_MAX = 100;
    private static final int NOT_OPENED_MAX = 1_000;

    private final StopStore store;
    private final GuardStore guards;
    private final MerchantStore merchants;
    private final MerchantNames names;
    private final Rails rails;
    private final Clock clock;

    StopController(
            StopStore store,
            GuardStore guards,
            MerchantStore merchants,
            MerchantNames names,
            Rails rails,
            Clock clock) {
        this.store = store;
        this.guards = guards;
        this.merchants = merchants;
        this.names = names;
        this.rails = rails;
        this.clock = clock;
    }

    /** @param operation both without it */
    public record RouteChange(
            @NotNull @Nullable Boolean stopped,
            @NotBlank @Size(max = RAIL_MAX) @Nullable String rail,
            @Nullable Operation operation,
            @NotBlank @Size(max = Reason.LENGTH_MAX) @Nullable String reason) {}

    /** Stopping needs the role operate, and so does resuming cashins; resuming cashouts needs money. */
    @PutMapping("/admin/route-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(summary = "stop new live transactions of a rail, or let them go on")
    RouteStops routes(@RequestBody RouteChange body, Operator operator) {
        String rail = requireNonNull(body.rail);
        boolean stopped = requireNonNull(body.stopped);
        if (stopped && !rails.live().contains(rail)) {
            throw unknown("rail", "expected a rail of ligeiro.rails.routes");
        }
        operator.require(stopped || body.operation == Operation.CASHIN ? Role.OPERATE : Role.MONEY);
        for (Operation operation : body.operation == null ? Operation.values() : new Operation[] {body.operation}) {
            if (stopped) {
                store.stop(Stop.ofRoute(rail, operation, requireNonNull(body.reason), operator.name(), now()));
            } else {
                store.resume(Stop.routeId(rail, operation));
            }
        }
        return listRoutes();
    }

    public record RouteStop(String rail, Operation operation, String reason, String operator, Instant at) {}

    public record RouteStops(List<RouteStop> stops) {}

    @GetMapping("/admin/route-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(summary = "the rails whose new live transactions are stopped")
    public RouteStops listRoutes() {
        return new RouteStops(store.all().stream()
                .filter(Stop::isRoute)
                .map(stop -> new RouteStop(
                        requireNonNull(stop.rail()),
                        requireNonNull(stop.operation()),
                        stop.reason(),
                        stop.operator(),
                        stop.at()))
                .toList());
    }

    /** @param rail those of all rails without it; so for the merchant */
    public record CashoutsChange(
            @NotNull @Nullable Boolean stopped,
            @JsonDeserialize(using = GivenText.class) @Size(max = RAIL_MAX) @Nullable String rail,
            @Nullable UUID merchant,
            @NotBlank @Size(max = Reason.LENGTH_MAX) @Nullable String reason) {}

    /** Stopping needs the role operate, resuming money. */
    @PutMapping("/admin/cashouts-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(summary = "stop cashouts of a merchant, a rail, or all, or let them go on")
    CashoutStops cashouts(@RequestBody CashoutsChange body, Operator operator) {
        boolean stopped = requireNonNull(body.stopped);
        if (stopped && body.rail != null && !rails.all().contains(body.rail)) {
            throw unknown("rail", "expected simulator or a rail of ligeiro.rails.routes");
        }
        operator.require(stopped ? Role.OPERATE : Role.MONEY);
        Merchant merchant =
                body.merchant == null ? null : merchants.find(body.merchant).orElse(null);
        if (stopped && body.merchant != null && merchant == null) {
            throw unknown("merchant", "expected the id of a merchant");
        }
        if (stopped) {
            store.stop(Stop.ofCashouts(body.rail, merchant, requireNonNull(body.reason), operator.name(), now()));
        } else {
            store.resume(Stop.cashoutsId(body.rail, body.merchant));
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
            Instant at) {

        static CashoutStop of(Stop stop) {
            return new CashoutStop(stop.rail(), stop.merchantId(), null, stop.reason(), stop.operator(), stop.at());
        }

        static CashoutStop ofNew(Merchant merchant) {
            return new CashoutStop(
                    null, merchant.id(), Mode.LIVE, "a new merchant, not opened yet", "-", merchant.createdAt());
        }
    }

    public record NamedStop(@JsonUnwrapped CashoutStop stop, @JsonUnwrapped NamedMerchant merchant) {}

    public record CashoutStops(List<NamedStop> stops, List<NamedStop> frozen) {}

    @GetMapping("/admin/cashouts-stop")
    @Needs(Role.READ)
    @io.swagger.v3.oas.annotations.Operation(
            summary = "stopped cashouts, merchants that are not opened yet, and frozen merchants")
    public CashoutStops listCashouts() {
        List<Stop> all = store.all();
        return new CashoutStops(
                Stream.concat(named(all, Stop::isOfCashouts), notOpened()).toList(),
                named(all, Stop::isFrozen).toList());
    }

    private Stream<NamedStop> named(List<Stop> stops, Predicate<Stop> which) {
        List<Stop> selected = stops.stream().filter(which).toList();
        Function<@Nullable UUID, NamedMerchant> named = names.ofIds(selected, Stop::merchantId);
        return selected.stream().map(stop -> new NamedStop(CashoutStop.of(stop), named.apply(stop.merchantId())));
    }

    private Stream<NamedStop> notOpened() {
        List<Long> numbers = guards.notOpened(NOT_OPENED_MAX).stream()
                .map(Tenant::merchantNumber)
                .toList();
        return merchants.byNumber(numbers).values().stream()
                .sorted(Comparator.comparing(Merchant::number).reversed())
                .map(merchant -> new NamedStop(CashoutStop.ofNew(merchant), NamedMerchant.of(merchant)));
    }

    private static Problem unknown(String field, String expected) {
        return Problem.invalid(List.of(new FieldError(field, "unknown", expected)));
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}

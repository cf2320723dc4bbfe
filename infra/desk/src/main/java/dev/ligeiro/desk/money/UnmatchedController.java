package dev.ligeiro.desk.money;

import static dev.ligeiro.store.UnmatchedPaymentFields.*;
import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** Lists the money that rails reported and no transaction can take. */
@RestController
@Tag(name = "unmatched-payments")
public class UnmatchedController {

    private final MongoTemplate mongo;
    private final TransactionStore transactions;
    private final MerchantStore merchants;
    private final Rails rails;
    private final Clock clock;

    UnmatchedController(
            MongoTemplate mongo, TransactionStore transactions, MerchantStore merchants, Rails rails, Clock clock) {
        this.mongo = mongo;
        this.transactions = transactions;
        this.merchants = merchants;
        this.rails = rails;
        this.clock = clock;
    }

    /** Whether operators have decided what becomes of a payment. */
    public enum State implements Coded {
        OPEN,
        RESOLVED
    }

    /**
     * Money that a rail reported and no transaction can take, as processors store it.
     *
     * @param transactionId the transaction that the rail named, which may not exist
     * @param cents null when the rail reported none
     * @param returns what the rail has moved back of it by itself
     * @param resolved what operators have decided about it; null while it is open
     */
    @Document(CollectionNames.UNMATCHED_PAYMENTS)
    public record UnmatchedPayment(
            @Id String id,
            String rail,
            String endToEndId,
            UUID transactionId,
            @JsonIgnore @Field("amount") @Nullable Long cents,
            @JsonIgnore @Field("returned") @Nullable List<Returned> returns,
            String reason,
            Instant at,
            @JsonIgnore @Nullable Resolved resolved) {

        public UnmatchedPayment {
            Objects.requireNonNull(rail, "rail");
            Objects.requireNonNull(endToEndId, "endToEndId");
            Objects.requireNonNull(transactionId, "transactionId");
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(at, "at");
        }

        /** Those that can be decoded. */
        static List<UnmatchedPayment> each(List<org.bson.Document> stored, MongoTemplate mongo) {
            return stored.stream()
                    .flatMap(DecodeEach.of(CollectionNames.UNMATCHED_PAYMENTS, one -> mongo.getConverter()
                            .read(UnmatchedPayment.class, one)))
                    .toList();
        }

        /** Reasons of money that has moved back to the payer of a cashin. */
        private static final Set<String> BACK = Set.of("returned_too_much", "refunded_after_failure");

        record Returned(@Field("amount") long cents) {}

        record Resolved(UUID resolution) {}

        @JsonProperty
        public @Nullable Amount amount() {
            return cents == null ? null : new Amount(cents);
        }

        @JsonProperty
        Amount returned() {
            return new Amount(
                    returns == null
                            ? 0
                            : returns.stream().mapToLong(Returned::cents).sum());
        }

        @JsonProperty
        @Nullable
        UUID resolution() {
            return resolved == null ? null : resolved.resolution;
        }

        /** Whether it has moved back to the payer of a cashin, so that it left the account. */
        boolean hasMovedBack() {
            return BACK.contains(reason);
        }

        boolean hasAmount() {
            return cents != null && cents > 0;
        }

        boolean isLive() {
            return !rail.equals(RailProperties.SIMULATOR);
        }
    }

    /** @param mode null if the transaction that the rail named is not stored */
    public record Unmatched(
            @JsonUnwrapped UnmatchedPayment payment,
            long ageSeconds,
            @JsonUnwrapped NamedMerchant merchant,
            @Nullable Mode mode) {

        /** What can be decided about it if the transaction that the rail named is not stored. */
        public List<OpenDecisions.Choice> choicesWithoutTransaction() {
            return OpenDecisions.choices(payment, null);
        }
    }

    public record UnmatchedList(List<Unmatched> unmatchedPayments, @Nullable String nextCursor) {}

    @GetMapping("/admin/unmatched-payments")
    @Needs(Role.READ)
    @Operation(summary = "payments that no transaction can take, the oldest first")
    public UnmatchedList list(
            @RequestParam @Nullable State state,
            @RequestParam(name = "e2e_id") @Nullable String endToEndId,
            @RequestParam @Nullable String after) {
        if (endToEndId != null && (state != null || after != null)) {
            throw Problem.invalid("e2e_id", "expected alone");
        }
        Criteria which = endToEndId == null
                ? where(RESOLVED).exists(state == State.RESOLVED)
                : where(ID)
                        .in(rails.all().stream()
                                .map(rail -> rail + "/" + endToEndId)
                                .toList());
        Slice<org.bson.Document> page = Slice.of(
                mongo.find(
                        Slice.oldestFirst(which, AT, PageCursor.parse(after), PageCursor::id),
                        org.bson.Document.class,
                        CollectionNames.UNMATCHED_PAYMENTS),
                last -> new PageCursor(last.getDate(AT).toInstant(), last.getString(ID)));
        return new UnmatchedList(named(UnmatchedPayment.each(page.items(), mongo)), page.next());
    }

    @GetMapping("/console/unmatched-payments")
    @Needs(Role.READ)
    ModelAndView page(@RequestParam(defaultValue = "open") State state, @RequestParam @Nullable String after) {
        return new ModelAndView("money/unmatched", "page", list(state, null, after)).addObject("state", state);
    }

    private List<Unmatched> named(List<UnmatchedPayment> payments) {
        Instant now = clock.instant();
        Map<UUID, Tenant> tenants = transactions.all(
                payments.stream().map(UnmatchedPayment::transactionId).toList(), Transaction::tenant);
        Function<@Nullable Tenant, NamedMerchant> named =
                merchants.namesOfTenants(tenants.values(), Function.identity());
        return payments.stream()
                .map(payment -> {
                    Tenant own = tenants.get(payment.transactionId());
                    return new Unmatched(
                            payment,
                            Duration.between(payment.at(), now).toSeconds(),
                            named.apply(own),
                            own == null ? null : own.mode());
                })
                .toList();
    }
}

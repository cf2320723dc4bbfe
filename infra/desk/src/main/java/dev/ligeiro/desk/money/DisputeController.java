package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** Lists the claims of payers as the banks tell them, those that no transaction can take among them. */
@RestController
@Tag(name = "disputes")
public class DisputeController {

    private final MongoTemplate mongo;
    private final MerchantStore merchants;

    DisputeController(MongoTemplate mongo, MerchantStore merchants) {
        this.mongo = mongo;
        this.merchants = merchants;
    }

    public enum State implements Coded {
        OPEN,
        DEFENDED,
        CLOSED,
        /** No transaction can take it, and the bank has not decided. */
        UNMATCHED
    }

    /**
     * @param transactionId null if none is known
     * @param status null if the bank has only told statuses that are not known
     * @param railStatus the status in the bank's word
     */
    public record OperatorDispute(
            UUID id,
            String rail,
            String railId,
            @Nullable String protocol,
            String endToEndId,
            @Nullable UUID transactionId,
            @JsonUnwrapped NamedMerchant merchant,
            Amount amount,
            String reason,
            @Nullable String situation,
            Dispute.@Nullable Status status,
            String railStatus,
            Instant openedAt,
            @Nullable Instant deadline) {}

    public record Disputes(List<OperatorDispute> disputes, @Nullable String nextCursor) {}

    @GetMapping("/admin/disputes")
    @Needs(Role.READ)
    @Operation(summary = "payers' claims on payments (MED), the oldest first; without a state those that are open")
    public Disputes list(@RequestParam @Nullable State state, @RequestParam @Nullable String after) {
        Slice<Document> page = Slice.of(
                mongo.find(
                        Slice.oldestFirst(
                                which(state), StoredDispute.OPENED_AT, PageCursor.parse(after), PageCursor::uuid),
                        Document.class,
                        CollectionNames.DISPUTES),
                last -> new PageCursor(
                        last.getDate(StoredDispute.OPENED_AT).toInstant(),
                        last.get(StoredDispute.ID, UUID.class).toString()));
        List<StoredDispute> found = page.items().stream()
                .flatMap(DecodeEach.of(CollectionNames.DISPUTES, StoredDispute::read))
                .toList();
        Function<@Nullable Tenant, NamedMerchant> named = merchants.namesOfTenants(found, StoredDispute::tenant);
        return new Disputes(
                found.stream()
                        .map(each -> shown(each, named.apply(each.tenant())))
                        .toList(),
                page.next());
    }

    @GetMapping("/console/disputes")
    @Needs(Role.READ)
    ModelAndView page(@RequestParam(defaultValue = "open") State state, @RequestParam @Nullable String after) {
        return new ModelAndView("money/disputes", "page", list(state, after)).addObject("state", state);
    }

    private static Criteria which(@Nullable State state) {
        return switch (state == null ? State.OPEN : state) {
            case OPEN -> where(StoredDispute.STATUS).is(Dispute.Status.OPEN.code());
            case DEFENDED -> where(StoredDispute.STATUS).is(Dispute.Status.DEFENDED.code());
            case CLOSED ->
                where(StoredDispute.STATUS)
                        .in(Dispute.Status.WON.code(), Dispute.Status.LOST.code(), Dispute.Status.CANCELED.code());
            case UNMATCHED -> where(StoredDispute.UNMATCHED_SINCE).exists(true);
        };
    }

    private static OperatorDispute shown(StoredDispute dispute, NamedMerchant merchant) {
        return new OperatorDispute(
                dispute.id(),
                dispute.rail(),
                dispute.railId(),
                dispute.protocol(),
                dispute.endToEndId(),
                dispute.transactionId() == null ? null : dispute.transactionId().value(),
                merchant,
                dispute.amount(),
                dispute.reason(),
                dispute.situation(),
                dispute.status(),
                dispute.railStatus(),
                dispute.openedAt(),
                dispute.deadline());
    }
}

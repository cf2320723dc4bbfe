package dev.ligeiro.desk.search;

import dev.ligeiro.bundle.BundleWriter;
import dev.ligeiro.desk.audit.Audited;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.desk.webhook.DeliveryStore;
import dev.ligeiro.desk.webhook.EndpointStore;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Finds transactions, of all merchants or of one, and shows one with its timeline, rail calls and deliveries. */
@RestController
@RequestMapping("/admin/transactions")
@Tag(name = "transactions")
class SearchController {

    private static final List<String> KEYS = List.of("id", "e2e_id", "reference", "document");

    /** Of so many, a search by document gets five days further each time; among more merchants, one must be named. */
    private static final long MERCHANTS_MAX = 5_000;

    private static final int REFERENCE_MAX = 50;

    private static final String ZIP_TYPE = "application/zip";
    private static final MediaType ZIP = MediaType.valueOf(ZIP_TYPE);

    private final SearchStore store;
    private final MerchantStore merchants;
    private final TransactionStore transactions;
    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final Bundles bundles;

    SearchController(
            SearchStore store,
            MerchantStore merchants,
            TransactionStore transactions,
            EndpointStore endpoints,
            DeliveryStore deliveries,
            Bundles bundles) {
        this.store = store;
        this.merchants = merchants;
        this.transactions = transactions;
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.bundles = bundles;
    }

    record FoundList(List<FoundTransaction> transactions, @Nullable String nextCursor) {}

    @GetMapping
    @Needs(Role.READ)
    @Operation(
            summary =
                    "Those with exactly this id, end-to-end id, reference or payer's document, the newest first; personal data is left out")
    FoundList find(
            @RequestParam @Nullable UUID id,
            @RequestParam(name = "e2e_id") @Nullable String e2eId,
            @RequestParam @Nullable String reference,
            @RequestParam @Nullable String document,
            @RequestParam @Nullable UUID merchant,
            @RequestParam @Nullable UUID after) {
        if (Stream.of(id, e2eId, reference, document).filter(Objects::nonNull).count() != 1) {
            throw Problem.invalid("id", "expected exactly one of " + KEYS);
        }
        if (after != null && document == null) {
            throw Problem.invalid("after", "expected only with document");
        }
        if (document != null) {
            return byDocument(document, merchant, after);
        }
        if (reference != null) {
            return byReference(reference, merchant);
        }
        return e2eId == null ? byId(Objects.requireNonNull(id), merchant) : byEndToEndId(e2eId, merchant);
    }

    FoundList byId(UUID id, @Nullable UUID merchant) {
        return list(new Slice<>(List.of(id), null), merchant);
    }

    FoundList byEndToEndId(String text, @Nullable UUID merchant) {
        return list(new Slice<>(store.byEndToEndId(parsed("e2e_id", text, EndToEndId::new)), null), merchant);
    }

    FoundList byReference(String reference, @Nullable UUID merchant) {
        if (reference.codePointCount(0, reference.length()) > REFERENCE_MAX) {
            throw Problem.invalid("reference", "expected at most " + REFERENCE_MAX + " characters");
        }
        return list(Slice.of(store.byReference(tenants(merchant), reference), id -> id), merchant);
    }

    FoundList byDocument(String text, @Nullable UUID merchant, @Nullable UUID after) {
        long token =
                SearchTokens.document(parsed("document", text, TaxId::parse).value());
        return list(store.byToken(tenants(merchant), token, after), merchant);
    }

    private FoundList list(Slice<UUID> page, @Nullable UUID merchant) {
        List<Tenant> wanted = merchant == null ? List.of() : tenants(merchant);
        List<FoundTransaction> found = transactions.all(page.items(), FoundTransaction::of).values().stream()
                .filter(one -> wanted.isEmpty() || wanted.contains(one.tenant()))
                .sorted(Comparator.comparing((FoundTransaction one) -> new TransactionId(one.id()))
                        .reversed())
                .toList();
        Function<@Nullable Tenant, NamedMerchant> named = merchants.namesOfTenants(found, FoundTransaction::tenant);
        return new FoundList(
                found.stream().map(one -> one.with(named.apply(one.tenant()))).toList(), page.next());
    }

    /** @throws Problem 422 if there is no such merchant, or if none is named and there are too many */
    private List<Tenant> tenants(@Nullable UUID merchantId) {
        if (merchantId != null) {
            return merchants
                    .find(merchantId)
                    .map(merchant -> both(merchant.number()).toList())
                    .orElseThrow(() -> Problem.invalid(
                            List.of(new FieldError("merchant", "unknown", "expected the id of a merchant"))));
        }
        long last = merchants.lastNumber();
        if (last > MERCHANTS_MAX) {
            throw Problem.invalid(List.of(new FieldError(
                    "merchant", "required", "expected the id of one of more than " + MERCHANTS_MAX + " merchants")));
        }
        return LongStream.rangeClosed(1, last)
                .boxed()
                .flatMap(SearchController::both)
                .toList();
    }

    private static Stream<Tenant> both(long number) {
        return Stream.of(Mode.values()).map(mode -> Tenant.of(number, mode));
    }

    private static <T> T parsed(String name, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid(name, String.valueOf(malformed.getMessage()));
        }
    }

    @GetMapping("/{transactionId}")
    @Needs(Role.READ)
    @Audited.PersonalData
    @Operation(summary = "One with its timeline, rail calls and deliveries; personal data is masked")
    OperatorTransaction show(@PathVariable String transactionId) {
        Transaction transaction = found(transactionId);
        Tenant tenant = transaction.tenant();
        Map<UUID, WebhookEndpoint> own = endpoints.all(tenant.merchantNumber()).stream()
                .filter(endpoint -> endpoint.tenant().equals(tenant))
                .collect(Collectors.toMap(WebhookEndpoint::id, Function.identity()));
        return OperatorTransaction.of(
                transaction,
                merchants.name(tenant),
                store.reservation(tenant, transaction.id()),
                own,
                deliveries.ofTransaction(own.keySet(), transaction.id()));
    }

    @GetMapping(path = "/{transactionId}/bundle", produces = ZIP_TYPE)
    @Needs(Role.MONEY)
    @Audited.PersonalData
    @Operation(
            summary =
                    "The signed archive of what is stored of one, as its merchant gets it: personal data is not masked")
    ResponseEntity<byte[]> bundle(@PathVariable String transactionId) {
        Transaction transaction = found(transactionId);
        return ResponseEntity.ok()
                .contentType(ZIP)
                .header(HttpHeaders.CONTENT_DISPOSITION, BundleWriter.disposition(transaction.id()))
                .body(bundles.of(transaction));
    }

    private Transaction found(String transactionId) {
        TransactionId id = TransactionId.parse(transactionId).orElseThrow(Problems::transactionNotFound);
        return transactions.find(id).orElseThrow(() -> transactions.missing(id));
    }
}

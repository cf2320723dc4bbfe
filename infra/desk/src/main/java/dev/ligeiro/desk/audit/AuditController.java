package dev.ligeiro.desk.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.audit.AuditStore.Filter;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Which operator has done what, and when. */
@RestController
@RequestMapping("/admin/audit")
@Tag(name = "audit")
public class AuditController {

    private final AuditStore store;
    private final MerchantNames names;

    AuditController(AuditStore store, MerchantNames names) {
        this.store = store;
        this.names = names;
    }

    public record AuditJson(@JsonUnwrapped AuditEntry entry, @JsonUnwrapped NamedMerchant merchant) {}

    public record AuditList(List<AuditJson> audit, @Nullable String nextCursor) {}

    /**
     * @param action as an entry has it, such as {@code POST /admin/merchants}
     * @param day such as {@code 2026-11-29}
     */
    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "Who has changed what, and when; the newest first")
    AuditList list(
            @RequestParam @Nullable UUID merchant,
            @RequestParam @Nullable String operator,
            @RequestParam @Nullable String action,
            @RequestParam @Nullable LocalDate day,
            @RequestParam @Nullable UUID after) {
        Filter filter = new Filter(merchant, operator, action, day);
        Slice<AuditEntry> page = Slice.of(store.page(filter, after, Slice.ITEMS_MAX + 1), AuditEntry::id);
        return new AuditList(named(page.items()), page.next());
    }

    private List<AuditJson> named(List<AuditEntry> entries) {
        Function<@Nullable UUID, NamedMerchant> merchants = names.ofIds(entries, AuditEntry::merchantId);
        return entries.stream()
                .map(entry -> new AuditJson(entry, merchants.apply(entry.merchantId())))
                .toList();
    }

    @GetMapping("/{entryId}")
    @Needs(Role.READ)
    @Operation(summary = "One entry of the audit, with its whole body")
    AuditJson show(@PathVariable UUID entryId) {
        return store.find(entryId)
                .map(entry -> named(List.of(entry)).get(0))
                .orElseThrow(() -> Problem.notFound("There is no such audit entry"));
    }

    record LinkList(List<Links> links, @Nullable String nextCursor) {}

    /** All entries, the oldest first, by their links only, and the digests of what is stored now. */
    @GetMapping("/links")
    @Needs(Role.READ)
    @Operation(summary = "The links that prove the audit; infra/admin audit verify reads them")
    LinkList links(@RequestParam @Nullable UUID after) {
        Slice<Links> page = Slice.of(store.oldest(after, Slice.ITEMS_MAX + 1), AuditEntry::id)
                .map(Links::of);
        return new LinkList(page.items(), page.next());
    }

    /** @param heads the ends of other chains, in the first entry of a chain */
    record Links(UUID id, Instant at, @Nullable Link begun, @Nullable Link ended, List<AuditLink.Head> heads) {

        private static final JsonMapper JSON = new JsonMapper();

        static Links of(AuditEntry entry) {
            AuditLink begun = entry.begun();
            AuditLink ended = entry.ended();
            return new Links(
                    entry.id(),
                    entry.at(),
                    begun == null ? null : new Link(begun, AuditLink.digestOfBegun(entry)),
                    ended == null ? null : new Link(ended, AuditLink.digestOfEnded(entry)),
                    entry.action().equals(AuditEntry.CHAIN_BEGUN) ? heads(entry.body()) : List.of());
        }

        /** A damaged body has none: its digest tells. */
        private static List<AuditLink.Head> heads(@Nullable String body) {
            try {
                return body == null
                        ? List.of()
                        : JSON.readValue(body, AuditLink.Heads.class).heads();
            } catch (JacksonException damaged) {
                return List.of();
            }
        }
    }

    record Link(@JsonUnwrapped AuditLink link, String digest) {}
}

package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.money.BreakStore.Break;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the movements in which the books and a rail's list differ, and closes one whose cause is found. It moves no money. */
@RestController
@RequestMapping("/admin/breaks")
@Tag(name = "breaks")
public class BreakController {

    private final BreakStore store;
    private final MerchantNames names;

    BreakController(BreakStore store, MerchantNames names) {
        this.store = store;
        this.names = names;
    }

    public enum State implements Coded {
        OPEN,
        CLOSED
    }

    /** @param mode null for a break of no merchant */
    public record NamedBreak(@JsonUnwrapped Break found, @JsonUnwrapped NamedMerchant merchant, @Nullable Mode mode) {}

    public record Breaks(List<NamedBreak> breaks, @Nullable String nextCursor) {}

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "movements in which the books and a rail's list differ, the oldest first")
    public Breaks list(
            @RequestParam @Nullable String rail,
            @RequestParam @Nullable BreakKind kind,
            @RequestParam @Nullable State state,
            @RequestParam @Nullable String after) {
        Slice<Break> page = store.page(state == State.CLOSED, rail, kind, PageCursor.parse(after));
        return new Breaks(named(page.items()), page.next());
    }

    @PostMapping("/{breakId}/close")
    @Needs(Role.MONEY)
    @Operation(summary = "close a break whose cause is found; this moves no money")
    NamedBreak close(@PathVariable UUID breakId, @RequestBody Reason body, Operator operator) {
        Break closed = store.close(breakId, requireNonNull(body.reason()), operator.name())
                .orElseThrow(() -> Problem.notFound("There is no such open break"));
        return named(List.of(closed)).get(0);
    }

    private List<NamedBreak> named(List<Break> breaks) {
        Function<@Nullable Tenant, NamedMerchant> named = names.ofTenants(breaks, Break::tenant);
        return breaks.stream()
                .map(one -> new NamedBreak(
                        one,
                        named.apply(one.tenant()),
                        one.tenant() == null ? null : one.tenant().mode()))
                .toList();
    }
}

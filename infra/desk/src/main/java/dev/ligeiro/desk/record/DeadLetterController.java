package dev.ligeiro.desk.record;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.record.DeadLetters.Listed;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists dead letters and redrives them. The responses contain no value of a record, and a key only if it is a transaction id. */
@RestController
@RequestMapping("/admin/dead-letters")
@Tag(name = "dead-letters")
public class DeadLetterController {

    private static final String PLACE = "[0-9]{1,9}-[0-9]{1,18}";
    private static final String PLACE_EXPECTED = "expected an id of the form <partition>-<offset> such as 0-42";

    private final DeadLetters deadLetters;
    private final TransactionStore transactions;
    private final MerchantNames names;

    DeadLetterController(DeadLetters deadLetters, TransactionStore transactions, MerchantNames names) {
        this.deadLetters = deadLetters;
        this.transactions = transactions;
        this.names = names;
    }

    /** The merchant, mode and end-to-end id are those of the transaction, null if there is none. */
    public record DeadLetterJson(
            @JsonUnwrapped DeadLetter deadLetter,
            boolean redriven,
            @JsonUnwrapped NamedMerchant merchant,
            @Nullable Mode mode,
            @Nullable String e2eId) {}

    public record DeadLetterList(List<DeadLetterJson> deadLetters, @Nullable RecordPlace nextCursor) {}

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "The records that could not be processed, the oldest first")
    public DeadLetterList list(
            @RequestParam DeadLetterTopic topic,
            @RequestParam @Nullable RecordPlace after,
            @RequestParam @Nullable Integer limit) {
        int max = requireNonNullElse(limit, Slice.ITEMS_MAX);
        if (max < 1 || max > Slice.ITEMS_MAX) {
            throw Problem.invalid("limit", "expected a number from 1 to " + Slice.ITEMS_MAX);
        }
        Listed page = deadLetters.list(topic, after, max);
        Map<UUID, FoundTransaction> found = transactions.all(page.all().stream()
                .flatMap(each -> Stream.ofNullable(each.transactionId()))
                .toList());
        Function<@Nullable Tenant, NamedMerchant> named = names.ofTenants(found.values(), FoundTransaction::tenant);
        List<DeadLetterJson> listed = page.all().stream()
                .map(each -> {
                    FoundTransaction of = each.transactionId() == null ? null : found.get(each.transactionId());
                    return new DeadLetterJson(
                            each,
                            page.redriven().contains(each.id()),
                            named.apply(of == null ? null : of.tenant()),
                            of == null ? null : of.tenant().mode(),
                            of == null ? null : of.endToEndId());
                })
                .toList();
        return new DeadLetterList(listed, page.next());
    }

    /**
     * One of {@code ids}, {@code reason} and {@code all} selects.
     *
     * @param after with {@code reason} and {@code all}: the {@code next_cursor} of the call before
     * @param dryRun true without it: only {@code false} sends
     */
    public record Redrive(
            @NotNull @Nullable DeadLetterTopic topic,
            @Size(min = 1, max = 100, message = "expected 1 to 100 ids") @Nullable
                    List<@Pattern(regexp = PLACE, message = PLACE_EXPECTED) String> ids,
            @Pattern(
                            regexp = "[a-z0-9_]{1,50}",
                            message = "expected a reason such as invalid_message: at most 50 of a-z, 0-9 and _")
                    @Nullable
                    String reason,
            @Nullable Boolean all,
            @Pattern(regexp = PLACE, message = PLACE_EXPECTED) @Nullable String after,
            @Nullable Boolean dryRun) {

        @AssertTrue(message = "expected one of ids, reason and all")
        private boolean isIds() {
            return Stream.of(ids != null, reason != null, all != null)
                            .filter(given -> given)
                            .count()
                    == 1;
        }

        @AssertTrue(message = "expected true")
        private boolean isAll() {
            return all == null || all;
        }

        @AssertTrue(message = "expected only with reason or all")
        private boolean isAfter() {
            return after == null || ids == null;
        }
    }

    public record Redriven(
            boolean dryRun,
            DeadLetterTopic topic,
            int count,
            List<RecordPlace> ids,
            int alreadyRedriven,
            @Nullable RecordPlace nextCursor) {}

    /** At most 1,000 of them; {@code next_cursor} tells where the next call begins. */
    @PostMapping("/redrive")
    @Needs(Role.OPERATE)
    @Operation(summary = "Send dead letters to their topic again; without dry_run=false only shows which")
    public Redriven redrive(@RequestBody Redrive body) {
        DeadLetterTopic topic = requireNonNull(body.topic);
        RecordPlace after = body.after == null ? null : RecordPlace.valueOf(body.after);
        Listed selected = body.ids == null
                ? deadLetters.withReason(topic, body.reason, after)
                : deadLetters.withIds(
                        topic, body.ids.stream().map(RecordPlace::valueOf).collect(Collectors.toSet()));
        List<DeadLetter> open = selected.open();
        boolean isDry = requireNonNullElse(body.dryRun, true);
        if (!isDry) {
            deadLetters.redrive(topic, open);
        }
        return new Redriven(
                isDry,
                topic,
                open.size(),
                open.stream().map(DeadLetter::id).toList(),
                selected.all().size() - open.size(),
                selected.next());
    }
}

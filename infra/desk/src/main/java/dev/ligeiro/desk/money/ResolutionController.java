package dev.ligeiro.desk.money;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.FieldError;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The operators' decisions about unknown outcomes and unmatched payments. A processor carries out a confirmed one within seconds.
 */
@RestController
@RequestMapping("/admin/resolutions")
@Tag(name = "resolutions")
public class ResolutionController {

    private final ResolutionStore store;
    private final CheckProposal check;
    private final ResolutionProperties properties;
    private final Clock clock;

    ResolutionController(ResolutionStore store, CheckProposal check, ResolutionProperties properties, Clock clock) {
        this.store = store;
        this.check = check;
        this.properties = properties;
        this.clock = clock;
    }

    @PostMapping
    @Needs(Role.MONEY)
    @Operation(summary = "propose a decision about money of which no rail will tell")
    ResponseEntity<Resolution> propose(@RequestBody Proposal body, Operator operator) {
        List<FieldError> misfits = body.misfits();
        if (!misfits.isEmpty()) {
            throw Problem.invalid(misfits);
        }
        Instant now = now();
        Tenant tenant = check.check(body, now);
        Resolution proposed = Resolution.of(
                UuidV7.at(now.toEpochMilli()), body, tenant, operator.name(), now, properties.operators() == 1);
        try {
            return ResponseEntity.created(URI.create("/admin/resolutions/" + proposed.id()))
                    .body(store.insert(proposed));
        } catch (DuplicateKeyException open) {
            throw Problem.of(
                    ProblemCode.RESOLUTION_OPEN,
                    "Another decision about " + body.subject() + " is open; confirm or withdraw it");
        }
    }

    public record Confirmation(@Size(max = Reason.LENGTH_MAX) @Nullable String reason) {}

    @PostMapping("/{resolutionId}/confirm")
    @Needs(Role.MONEY)
    @Dangerous
    @Operation(summary = "confirm another operator's decision; it is carried out within seconds")
    Resolution confirm(@PathVariable UUID resolutionId, @RequestBody Confirmation body, Operator operator) {
        Resolution proposed = proposal(resolutionId);
        if (properties.operators() > 1 && proposed.proposedBy().equals(operator.name())) {
            throw Problem.of(
                    ProblemCode.SECOND_OPERATOR_NEEDED,
                    "You have proposed it yourself; another operator with the role money must confirm it");
        }
        try {
            check.check(proposed.proposal(), now());
        } catch (Problem changed) {
            if (changed.code() == ProblemCode.NOT_RESOLVABLE) {
                store.move(proposed.id(), ResolutionState.OUTDATED, null, null, now());
            }
            throw changed;
        }
        return move(proposed, ResolutionState.CONFIRMED, operator, body.reason());
    }

    @PostMapping("/{resolutionId}/withdraw")
    @Needs(Role.MONEY)
    @Operation(summary = "withdraw a decision before it is confirmed")
    Resolution withdraw(@PathVariable UUID resolutionId, @RequestBody Reason body, Operator operator) {
        return move(proposal(resolutionId), ResolutionState.WITHDRAWN, operator, requireNonNull(body.reason()));
    }

    private Resolution move(Resolution proposed, ResolutionState to, Operator operator, @Nullable String reason) {
        return store.move(proposed.id(), to, operator.name(), reason, now())
                .orElseThrow(() -> notProposed("another operator was first"));
    }

    private Resolution proposal(UUID id) {
        Resolution found = find(id);
        if (!found.state().equals(ResolutionState.PROPOSED.code())) {
            throw notProposed("it is " + found.state());
        }
        return found;
    }

    private static Problem notProposed(String why) {
        return Problem.of(ProblemCode.NOT_RESOLVABLE, "The decision does not wait for an operator: " + why);
    }

    @GetMapping("/{resolutionId}")
    @Needs(Role.READ)
    @Operation(summary = "one decision")
    public Resolution show(@PathVariable UUID resolutionId) {
        return find(resolutionId);
    }

    private Resolution find(UUID id) {
        return store.find(id).orElseThrow(() -> Problem.notFound("There is no such resolution"));
    }

    public record Resolutions(List<Resolution> resolutions, @Nullable String nextCursor) {}

    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "decisions of operators, the newest first")
    public Resolutions list(@RequestParam @Nullable ResolutionState state, @RequestParam @Nullable UUID after) {
        Slice<Resolution> page = store.page(state, after);
        return new Resolutions(page.items(), page.next());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}

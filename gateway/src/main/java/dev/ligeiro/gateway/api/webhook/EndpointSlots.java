package dev.ligeiro.gateway.api.webhook;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The slots that limit the endpoints of a tenant. */
final class EndpointSlots {

    /** Disabled endpoints count too. */
    static final int COUNT = 20;

    private EndpointSlots() {}

    /**
     * The slots that a new endpoint may take.
     *
     * @param used one element for each endpoint of the tenant, empty for one that an earlier version stored without a slot; each of
     *     those makes one slot less available
     */
    static List<Integer> free(List<Optional<Integer>> used) {
        Set<Integer> taken = new HashSet<>();
        used.forEach(slot -> slot.ifPresent(taken::add));
        int withoutSlot =
                used.size() - (int) used.stream().filter(Optional::isPresent).count();
        return IntStream.range(0, COUNT - withoutSlot)
                .filter(slot -> !taken.contains(slot))
                .boxed()
                .toList();
    }
}

package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.testing.brokers.Signal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What happens to one process. */
record Fault(Target target, Signal signal) {

    /** SIGKILL, SIGSTOP until SIGCONT, SIGTERM. */
    private static final List<Signal> SIGNALS = List.of(Signal.KILL, Signal.STOP, Signal.TERM);

    /** One of the processes of this kind is hit, chosen at random. */
    enum Target {
        PRIMARY,
        SECONDARY,
        CONTROLLER,
        BROKER,
        GATEWAY,
        PROCESSOR,
        WEBHOOK_DISPATCHER
    }

    /** Each fault once, in random order. */
    static List<Fault> all(Random random) {
        List<Fault> faults = new ArrayList<>(Stream.of(Target.values())
                .flatMap(target -> SIGNALS.stream().map(signal -> new Fault(target, signal)))
                .toList());
        Collections.shuffle(faults, random);
        return faults;
    }

    /** Each service killed once, in random order. */
    static List<Fault> kills(Random random) {
        List<Fault> faults = new ArrayList<>(Stream.of(Target.GATEWAY, Target.PROCESSOR, Target.WEBHOOK_DISPATCHER)
                .map(service -> new Fault(service, Signal.KILL))
                .toList());
        Collections.shuffle(faults, random);
        return faults;
    }

    /** The process that is hit. */
    long pid(DemoEnv.Pids pids, BrokerMembers members, Random random) {
        return switch (target) {
            case PRIMARY -> pids.mongod().get(members.primary());
            case SECONDARY -> pids.mongod().get(other(members, members.primary(), random));
            case CONTROLLER -> pids.kafka().get(members.controller());
            case BROKER -> pids.kafka().get(other(members, members.controller(), random));
            default -> pid(pids, random);
        };
    }

    /** The same if it is of a service. */
    long pid(DemoEnv.Pids pids, Random random) {
        return switch (target) {
            case GATEWAY -> any(pids.gateway(), random);
            case PROCESSOR -> any(pids.processor(), random);
            case WEBHOOK_DISPATCHER -> any(pids.webhookDispatcher(), random);
            default -> throw new IllegalStateException(target + " (expected: a service)");
        };
    }

    private static int other(BrokerMembers members, int member, Random random) {
        return any(
                IntStream.range(0, members.size())
                        .filter(each -> each != member)
                        .boxed()
                        .toList(),
                random);
    }

    private static <T> T any(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** Such as {@code primary killed}. */
    @Override
    public String toString() {
        return target.name().toLowerCase(Locale.ROOT).replace('_', '-')
                + switch (signal) {
                    case KILL -> " killed";
                    case STOP -> " frozen";
                    default -> " stopped";
                };
    }
}

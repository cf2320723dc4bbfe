package dev.ligeiro.testing.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The architecture rules of all services. A service's ArchitectureTest includes the rules with {@link ArchTest} by
 * {@code ArchTests.in}. It calls the methods with the places of its MongoDB code and its blocking calls.
 */
public final class ServiceRules {

    @ArchTest
    public static final ArchRule packagesHaveNoCycles = slices().matching("dev.ligeiro.*.(*)..")
            .should()
            .beFreeOfCycles()
            .because("packages in a cycle cannot be read or changed separately");

    @ArchTest
    public static final ArchRule timeComesFromTheClock = noClasses()
            .should()
            .callMethodWhere(target(name("now")).and(target(owner(resideInAPackage("java.time..")))))
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .because(
                    "leases and deadlines need one clock for all processes, MongoDB's, and tests replace it to move the time");

    private ServiceRules() {}

    /** Only stores and {@code elsewhere} use the MongoDB driver. */
    public static ArchRule mongodbOnlyInStoresAnd(DescribedPredicate<? super JavaClass> elsewhere) {
        return noClasses()
                .that()
                .haveSimpleNameNotEndingWith("Store")
                .and(not(elsewhere))
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.mongodb.reactivestreams..", "com.mongodb.client..")
                        .or(nameMatching("org\\.springframework\\..*\\.ReactiveMongoTemplate")))
                .because("a query's cost and its conditions, such as tenant and version, are reviewed in the stores");
    }

    /** Only {@code here} makes Reactor's blocking calls. */
    public static ArchRule blockingCallsOnlyIn(DescribedPredicate<? super JavaClass> here) {
        return noClasses()
                .that(not(here))
                .should()
                .callMethodWhere(target(nameMatching("block.*|toIterable|toStream"))
                        .and(target(owner(assignableTo(Mono.class).or(assignableTo(Flux.class))))))
                .because("a blocked event loop stops all its connections");
    }
}

package dev.ligeiro.gateway;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.show.HolderStore;
import dev.ligeiro.gateway.show.TransactionStore;
import dev.ligeiro.gateway.webhook.EndpointPath;
import dev.ligeiro.gateway.webhook.EndpointRoutes;
import dev.ligeiro.gateway.webhook.EndpointStore;
import dev.ligeiro.testing.architecture.ServiceRules;

@AnalyzeClasses(packages = "dev.ligeiro.gateway", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchTests everyService = ArchTests.in(ServiceRules.class);

    @ArchTest
    static final ArchRule features = slices().matching(
                    "dev.ligeiro.gateway.(create|show|list|change|checkout|webhook|delivery|replay|feed|republish|deadletter|operations|backup)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), equivalentTo(TransactionStore.class).or(equivalentTo(HolderStore.class)))
            .ignoreDependency(alwaysTrue(), equivalentTo(EndpointStore.class).or(equivalentTo(EndpointPath.class)))
            .ignoreDependency(alwaysTrue(), equivalentTo(EndpointRoutes.class))
            .ignoreDependency(
                    resideInAPackage("dev.ligeiro.gateway.replay"), resideInAPackage("dev.ligeiro.gateway.delivery"))
            .because(
                    "features are changed independently; they share only the reading of a transaction or endpoint by what identifies it; a replay schedules deliveries");

    @ArchTest
    static final ArchRule mongodb = ServiceRules.mongodbOnlyInStoresAnd(resideInAPackage("dev.ligeiro.gateway.mongo"));

    @ArchTest
    static final ArchRule kafka = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.ligeiro.gateway.publish",
                    "dev.ligeiro.gateway.kafka",
                    "dev.ligeiro.gateway.deadletter",
                    "dev.ligeiro.gateway.backup")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..")
            .because("producers and consumers block, so only the publisher's thread and the operators' reads use them");

    @ArchTest
    static final ArchRule blocking = ServiceRules.blockingCallsOnlyIn(resideInAPackage("dev.ligeiro.gateway.mongo"));

    @ArchTest
    static final ArchRule decisions = noClasses()
            .that()
            .haveNameMatching(".*(Request|Query|Filter|Parameters|Field|Schedule|Page|Url)")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "reactor..", "com.mongodb.reactivestreams..", "org.apache.kafka..", "io.netty..", "io.micrometer..")
            .because("decisions are pure functions, which tests call without a server");

    @ArchTest
    static final ArchRule narrow = classes()
            .that()
            .areAssignableTo(Routes.class)
            .and()
            .areNotInterfaces()
            .should()
            .bePackagePrivate()
            .because("only HTTP calls a controller");
}

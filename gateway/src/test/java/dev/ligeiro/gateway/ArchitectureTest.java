package dev.ligeiro.gateway;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.testing.architecture.ServiceRules;

@AnalyzeClasses(packages = "dev.ligeiro.gateway", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchTests everyService = ArchTests.in(ServiceRules.class);

    /** The arrows of the module's layout: {@code page} on {@code api}, on {@code publish}, on {@code http}, on the rest. */
    @ArchTest
    static final ArchRule floors = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("page")
            .definedBy("dev.ligeiro.gateway.page..")
            .layer("api")
            .definedBy("dev.ligeiro.gateway.api..")
            .layer("publish")
            .definedBy("dev.ligeiro.gateway.publish..")
            .layer("http")
            .definedBy("dev.ligeiro.gateway.http..")
            .layer("store")
            .definedBy("dev.ligeiro.gateway.store..")
            .layer("qrcode")
            .definedBy("dev.ligeiro.gateway.qrcode..")
            .whereLayer("page")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("api")
            .mayOnlyBeAccessedByLayers("page")
            .whereLayer("publish")
            .mayOnlyBeAccessedByLayers("page", "api")
            .whereLayer("http")
            .mayOnlyBeAccessedByLayers("page", "api", "publish")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("page", "api", "publish", "http")
            .whereLayer("qrcode")
            .mayOnlyBeAccessedByLayers("page", "api", "publish", "http")
            .because("who changes a lower floor need not know the floors above it");

    @ArchTest
    static final ArchRule features = slices().matching("dev.ligeiro.gateway.api.(create|list|change|webhook|feed)..")
            .should()
            .notDependOnEachOther()
            .because("features are changed independently");

    @ArchTest
    static final ArchRule mongodb = ServiceRules.mongodbOnlyInStoresAnd(resideInAPackage("dev.ligeiro.gateway.store"));

    @ArchTest
    static final ArchRule kafka = noClasses()
            .that()
            .resideOutsideOfPackage("dev.ligeiro.gateway.publish")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..")
            .because("producers block, so only the publisher, on a thread of its own, uses them");

    @ArchTest
    static final ArchRule blocking = ServiceRules.blockingCallsOnlyIn(resideInAPackage("dev.ligeiro.gateway.store"));

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

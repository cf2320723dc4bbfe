package dev.ligeiro.gateway;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.show.TransactionStore;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@AnalyzeClasses(packages = "dev.ligeiro.gateway", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule rooms = slices().matching("dev.ligeiro.gateway.(*)..")
            .should()
            .beFreeOfCycles()
            .because("packages in a ring can only be read and changed together");

    @ArchTest
    static final ArchRule features = slices().matching(
                    "dev.ligeiro.gateway.(create|show|list|change|checkout|webhook|republish)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), equivalentTo(TransactionStore.class))
            .because("a feature is changed alone; only reading a transaction by its id is shared");

    @ArchTest
    static final ArchRule mongodb = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Store")
            .and()
            .resideOutsideOfPackage("dev.ligeiro.gateway.mongo")
            .should()
            .dependOnClassesThat(
                    resideInAPackage("com.mongodb.reactivestreams..").or(equivalentTo(ReactiveMongoTemplate.class)))
            .because("whoever asks what a query costs, or whether it names the tenant, looks into stores only");

    @ArchTest
    static final ArchRule kafka = noClasses()
            .that()
            .resideOutsideOfPackage("dev.ligeiro.gateway.publish")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..")
            .because("a producer may block, and only the publisher's thread may be blocked by it");

    @ArchTest
    static final ArchRule blocking = noClasses()
            .that()
            .resideOutsideOfPackage("dev.ligeiro.gateway.mongo")
            .should()
            .callMethodWhere(target(nameMatching("block.*|toIterable|toStream"))
                    .and(target(owner(assignableTo(Mono.class).or(assignableTo(Flux.class))))))
            .because("a blocked event loop stops every connection it serves; MongoDB is set up before there are any");

    @ArchTest
    static final ArchRule time = noClasses()
            .should()
            .callMethodWhere(target(name("now")).and(target(owner(resideInAPackage("java.time..")))))
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .because("time comes from the Clock, which a test can move");

    @ArchTest
    static final ArchRule decisions = noClasses()
            .that()
            .haveNameMatching(".*(Request|Query|Filter|Parameters|Field|Schedule|Page|Url|Networks)")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "reactor..", "com.mongodb.reactivestreams..", "org.apache.kafka..", "io.netty..", "io.micrometer..")
            .because("what decides is a pure function, and is tested without a server");

    @ArchTest
    static final ArchRule narrow = classes()
            .that()
            .areAssignableTo(Routes.class)
            .and()
            .areNotInterfaces()
            .should()
            .bePackagePrivate()
            .because("nobody calls a controller but HTTP");
}

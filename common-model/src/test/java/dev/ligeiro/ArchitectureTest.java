package dev.ligeiro;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;

@AnalyzeClasses(packages = "dev.ligeiro", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule pure = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.ligeiro..",
                    "java..",
                    "javax.crypto..",
                    "org.jspecify..",
                    "com.fasterxml.jackson.annotation..",
                    "tools.jackson..",
                    "org.bson..")
            .because("every service depends on common-model, and would depend on its dependencies too");

    @ArchTest
    static final ArchRule jsonOnlyInMessagesAndViews = noClasses()
            .that()
            .resideOutsideOfPackages("dev.ligeiro.message", "dev.ligeiro.view", "dev.ligeiro.bundle")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("tools.jackson..")
            .because("the model does not depend on its JSON form; its annotations only name fields");

    @ArchTest
    static final ArchRule bsonOnlyInTheStore = noClasses()
            .that()
            .resideOutsideOfPackage("dev.ligeiro.store")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bson..")
            .because("only the store package knows the MongoDB form");

    @ArchTest
    static final ArchRule noCycles = slices().matching("dev.ligeiro.(*)..")
            .should()
            .beFreeOfCycles()
            .because("packages in a cycle can only be read and changed together");

    @ArchTest
    static final ArchRule silent = noClasses()
            .should(ACCESS_STANDARD_STREAMS)
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.logging..", "org.slf4j..")
            .because("a logged value could contain personal data; only the services log");

    @ArchTest
    static final ArchRule timeIsAParameter = noClasses()
            .should()
            .callMethodWhere(target(name("now")).and(target(owner(resideInAnyPackage("java.time..")))))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("tests set the time, and each service has one Clock");
}

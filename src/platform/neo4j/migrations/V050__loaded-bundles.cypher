// Bundles that ship with the product, by name: which text of each was loaded last.
CREATE CONSTRAINT loaded_bundle_name IF NOT EXISTS FOR (b:LoadedBundle) REQUIRE b.name IS UNIQUE;

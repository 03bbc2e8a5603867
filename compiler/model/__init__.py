"""What declarations come to, once names are known: what checks judge and lowering writes down."""
